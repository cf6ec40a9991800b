// Xxh3Test.cs: XXH3 as C computes it, for every length that a record may have and more, at several alignments; the
// forms for short and for long inputs where the general one does not take them.
using System;
using System.IO.Hashing;
using MatchRace.Tuned.Support;
using Xunit;

namespace MatchRace.Tuned.Tests;

public sealed unsafe class Xxh3Test
{
    private const int LengthMax = 5000;

    public Xxh3Test() => Foreign.Load();

    [Fact]
    public void IsThatOfCAndOfTheLibrary()
    {
        byte[] bytes = new byte[LengthMax + 64];
        new Random(20261201).NextBytes(bytes);
        byte* secret = Tables.Base + Tables.SecretAt;
        fixed (byte* begin = bytes)
        {
            for (int length = 0; length <= LengthMax; length++)
            {
                byte* at = begin + length % 64;
                ulong expected = Foreign.Xxh3(at, (nuint)length);
                Assert.Equal(expected, XxHash3.HashToUInt64(new ReadOnlySpan<byte>(at, length)));
                Assert.Equal(expected, Xxh3.Hash(at, (ulong)length, secret));
                if (length is >= 33 and <= 96)
                {
                    Assert.Equal(expected, Xxh3.HashShort(at, (ulong)length, secret));
                }
            }
        }
    }

    [Fact]
    public void DependsOnEveryByte()
    {
        byte[] bytes = new byte[1500];
        byte* secret = Tables.Base + Tables.SecretAt;
        fixed (byte* begin = bytes)
        {
            foreach (int length in (int[])[33, 64, 65, 96, 97, 128, 129, 200, 240, 241, 1024, 1025, 1500])
            {
                ulong before = Xxh3.Hash(begin, (ulong)length, secret);
                for (int at = 0; at < length; at++)
                {
                    begin[at] ^= 0x40;
                    Assert.NotEqual(before, Xxh3.Hash(begin, (ulong)length, secret));
                    begin[at] ^= 0x40;
                }
            }
        }
    }
}
