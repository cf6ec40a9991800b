// Digest.cs: the digest of a record and of a batch (docs/PROTOCOL.md, section 2); digest.c.
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

internal static unsafe class Digest
{
    /// <summary>Sum mod 2^64 of the digests of <paramref name="count"/> records that follow each other.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Of(byte* records, uint count, byte* tables)
    {
        byte* secret = tables + Tables.SecretAt;
        ulong sum = 0;
        for (; count > 0; count--)
        {
            ulong bytes = Contract.RecordBytes((Record*)records);
            sum += bytes <= 96 ? Xxh3.HashShort(records, bytes, secret) : Xxh3.Hash(records, bytes, secret);
            records += (bytes + 7) & ~7UL;
        }
        return sum;
    }
}
