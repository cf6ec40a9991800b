using System;
using System.Buffers.Binary;
using System.IO.Hashing;
using System.Runtime.CompilerServices;

namespace MatchRace.Common;

/// <summary>
/// The canonical form of a record (docs/PROTOCOL.md, section 2), and a batch of them in memory: each record begins
/// <see cref="Stride"/> bytes behind the one before, as mr_parser_parse() writes them.
/// </summary>
public static class RecordForm
{
    public const int HeadBytes = 32;

    /// <summary>Room behind the last record that a parser may overwrite.</summary>
    public const int Slack = 256;

    /// <summary>Room that the records of any JSON text of this length need, in bytes; as mr_records_capacity().</summary>
    public static int Capacity(int jsonBytes) => checked(jsonBytes + Slack);

    /// <summary>Distance to the next record, from the bytes of this one's source and message.</summary>
    public static int Stride(int textBytes) => (HeadBytes + textBytes + 7) & ~7;

    /// <summary>Writes the 32 bytes before source and message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteHead(Span<byte> record, ulong id, ulong timestampUs, ulong valueBits, int kind, int flags,
                                 int sourceBytes, int messageBytes)
    {
        Span<byte> head = record[..HeadBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(head, id);
        BinaryPrimitives.WriteUInt64LittleEndian(head[8..], timestampUs);
        BinaryPrimitives.WriteUInt64LittleEndian(head[16..], valueBits);
        // kind, flags, source_bytes and message_bytes are one little-endian word.
        BinaryPrimitives.WriteUInt64LittleEndian(
            head[24..], (uint)kind | ((uint)flags << 8) | ((uint)sourceBytes << 16) | ((ulong)(uint)messageBytes << 32));
    }

    /// <summary>Bytes of source and message of the record that begins here.</summary>
    public static int TextBytes(ReadOnlySpan<byte> record)
    {
        ulong word = BinaryPrimitives.ReadUInt64LittleEndian(record[24..]);
        return (ushort)(word >> 16) + (int)(word >> 32);
    }

    /// <summary>XXH3_64bits of one record: <paramref name="record"/> is its canonical form, no padding.</summary>
    public static ulong Digest(ReadOnlySpan<byte> record) => XxHash3.HashToUInt64(record);

    /// <summary>Sum mod 2^64 of the digests of records that follow each other at their strides.</summary>
    public static ulong DigestOf(ReadOnlySpan<byte> records, uint count)
    {
        ulong sum = 0;
        for (uint i = 0; i < count; i++)
        {
            int textBytes = TextBytes(records);
            sum += Digest(records[..(HeadBytes + textBytes)]);
            records = records[Stride(textBytes)..];
        }
        return sum;
    }

    /// <summary>Adds records that follow each other at their strides, without digest.</summary>
    public static void AddTo(ref Totals totals, ReadOnlySpan<byte> records, uint count)
    {
        for (uint i = 0; i < count; i++)
        {
            ulong word = BinaryPrimitives.ReadUInt64LittleEndian(records[24..]);
            int sourceBytes = (ushort)(word >> 16);
            int messageBytes = (int)(word >> 32);
            totals.AddRecord(BinaryPrimitives.ReadUInt64LittleEndian(records[8..]),
                             BinaryPrimitives.ReadUInt64LittleEndian(records[16..]), (byte)word, (byte)(word >> 8),
                             sourceBytes, messageBytes);
            records = records[Stride(sourceBytes + messageBytes)..];
        }
    }
}
