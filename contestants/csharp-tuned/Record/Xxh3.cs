// Xxh3.cs: XXH3 (64 bits, seed 0, default secret) as xxhash.h of version 0.8 computes it, for lengths that records
// have; below 17 bytes System.IO.Hashing does it, and where there is no AVX2, above 240 too.
using System;
using System.IO.Hashing;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned;

internal static unsafe class Xxh3
{
    public const int SecretBytes = 192;

    private const ulong Prime32A = 0x9E3779B1;
    private const ulong Prime32B = 0x85EBCA77;
    private const ulong Prime32C = 0xC2B2AE3D;
    private const ulong Prime64A = 0x9E3779B185EBCA87;
    private const ulong Prime64B = 0xC2B2AE3D27D4EB4F;
    private const ulong Prime64C = 0x165667B19E3779F9;
    private const ulong Prime64D = 0x85EBCA77C2B2AE63;
    private const ulong Prime64E = 0x27D4EB2F165667C5;

    private const ulong MidMax = 240;
    private const int StripeBytes = 64;
    private const int StripesPerBlock = (SecretBytes - StripeBytes) / 8;

    private static ReadOnlySpan<byte> Secret =>
    [
        0xB8, 0xFE, 0x6C, 0x39, 0x23, 0xA4, 0x4B, 0xBE, 0x7C, 0x01, 0x81, 0x2C, 0xF7, 0x21, 0xAD, 0x1C,
        0xDE, 0xD4, 0x6D, 0xE9, 0x83, 0x90, 0x97, 0xDB, 0x72, 0x40, 0xA4, 0xA4, 0xB7, 0xB3, 0x67, 0x1F,
        0xCB, 0x79, 0xE6, 0x4E, 0xCC, 0xC0, 0xE5, 0x78, 0x82, 0x5A, 0xD0, 0x7D, 0xCC, 0xFF, 0x72, 0x21,
        0xB8, 0x08, 0x46, 0x74, 0xF7, 0x43, 0x24, 0x8E, 0xE0, 0x35, 0x90, 0xE6, 0x81, 0x3A, 0x26, 0x4C,
        0x3C, 0x28, 0x52, 0xBB, 0x91, 0xC3, 0x00, 0xCB, 0x88, 0xD0, 0x65, 0x8B, 0x1B, 0x53, 0x2E, 0xA3,
        0x71, 0x64, 0x48, 0x97, 0xA2, 0x0D, 0xF9, 0x4E, 0x38, 0x19, 0xEF, 0x46, 0xA9, 0xDE, 0xAC, 0xD8,
        0xA8, 0xFA, 0x76, 0x3F, 0xE3, 0x9C, 0x34, 0x3F, 0xF9, 0xDC, 0xBB, 0xC7, 0xC7, 0x0B, 0x4F, 0x1D,
        0x8A, 0x51, 0xE0, 0x4B, 0xCD, 0xB4, 0x59, 0x31, 0xC8, 0x9F, 0x7E, 0xC9, 0xD9, 0x78, 0x73, 0x64,
        0xEA, 0xC5, 0xAC, 0x83, 0x34, 0xD3, 0xEB, 0xC3, 0xC5, 0x81, 0xA0, 0xFF, 0xFA, 0x13, 0x63, 0xEB,
        0x17, 0x0D, 0xDD, 0x51, 0xB7, 0xF0, 0xDA, 0x49, 0xD3, 0x16, 0x55, 0x26, 0x29, 0xD4, 0x68, 0x9E,
        0x2B, 0x16, 0xBE, 0x58, 0x7D, 0x47, 0xA1, 0xFC, 0x8F, 0xF8, 0xB8, 0xD1, 0x7A, 0xD0, 0x31, 0xCE,
        0x45, 0xCB, 0x3A, 0x8F, 0x95, 0x16, 0x04, 0x28, 0xAF, 0xD7, 0xFB, 0xCA, 0xBB, 0x4B, 0x40, 0x7E,
    ];

    /// <summary>Writes the default secret.</summary>
    public static void FillSecret(byte* to) => Secret.CopyTo(new Span<byte>(to, SecretBytes));

    /// <summary>XXH3 of <paramref name="length"/> bytes.</summary>
    public static ulong Hash(byte* at, ulong length, byte* secret)
    {
        if (length <= 128 && length > 16)
        {
            return HashTo128(at, length, secret);
        }
        if (length > MidMax && Avx2.IsSupported)
        {
            return HashLong(at, length, secret);
        }
        return length > 128 && length <= MidMax ? HashTo240(at, length, secret) : HashByLibrary(at, length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong HashByLibrary(byte* at, ulong length) =>
        XxHash3.HashToUInt64(new ReadOnlySpan<byte>(at, checked((int)length)));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(byte* at, byte* secret) =>
        Uint128.Fold(Swar.Load(at) ^ Swar.Load(secret), Swar.Load(at + 8) ^ Swar.Load(secret + 8));

    // With words of the secret that the compiler knows: from memory, each of them costs an address, too.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(byte* at, ulong low, ulong high) =>
        Uint128.Fold(Swar.Load(at) ^ low, Swar.Load(at + 8) ^ high);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Avalanche(ulong hash)
    {
        hash ^= hash >> 37;
        hash *= 0x165667919E3779F9;
        return hash ^ hash >> 32;
    }

    /// <summary>XXH3 of 33 to 96 bytes without a branch on the length, for lengths that are hard to foresee.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong HashShort(byte* at, ulong length, byte* secret)
    {
        // A mask: a choice would become a branch here, and one that is missed often.
        ulong third = (ulong)((long)(64 - length) >> 63);
        ulong sum = length * Prime64A;
        sum += Mix(at, 0xBE4BA423396CFEB8, 0x1CAD21F72C81017C) +
            Mix(at + length - 16, 0xDB979083E96DD4DE, 0x1F67B3B7A4A44072);
        sum += Mix(at + 16, 0x78E5C0CC4EE679CB, 0x2172FFCC7DD05A82) +
            Mix(at + length - 32, 0x8E2443F7744608B8, 0x4C263A81E69035E0);
        ulong more = Mix(at + 32, 0xCB00C391BB52283C, 0xA32E531B8B65D088) +
            Mix(at + ((length - 48) & third), 0x4EF90DA297486471, 0xD8ACDEA946EF1938);
        return Avalanche(sum + (more & third));
    }

    // XXH3 of 17 to 128 bytes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong HashTo128(byte* at, ulong length, byte* secret)
    {
        ulong sum = length * Prime64A;
        if (length > 32)
        {
            if (length > 64)
            {
                if (length > 96)
                {
                    sum += Mix(at + 48, secret + 96) + Mix(at + length - 64, secret + 112);
                }
                sum += Mix(at + 32, secret + 64) + Mix(at + length - 48, secret + 80);
            }
            sum += Mix(at + 16, secret + 32) + Mix(at + length - 32, secret + 48);
        }
        sum += Mix(at, secret) + Mix(at + length - 16, secret + 16);
        return Avalanche(sum);
    }

    // XXH3 of 129 to 240 bytes.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong HashTo240(byte* at, ulong length, byte* secret)
    {
        // The first eight are written out: their secrets are constants then.
        ulong sum = length * Prime64A;
        sum += Mix(at, secret) + Mix(at + 16, secret + 16) + Mix(at + 32, secret + 32) + Mix(at + 48, secret + 48);
        sum += Mix(at + 64, secret + 64) + Mix(at + 80, secret + 80) + Mix(at + 96, secret + 96) +
            Mix(at + 112, secret + 112);
        sum = Avalanche(sum);
        byte* end = at + (length & ~15UL);
        byte* key = secret + 3;
        for (byte* piece = at + 128; piece < end; piece += 16, key += 16)
        {
            sum += Mix(piece, key);
        }
        sum += Mix(at + length - 16, secret + 136 - 17);
        return Avalanche(sum);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Accumulate(Vector256<ulong> sums, byte* at, byte* secret)
    {
        Vector256<ulong> data = Vector256.Load((ulong*)at);
        Vector256<ulong> keyed = data ^ Vector256.Load((ulong*)secret);
        Vector256<ulong> product = Avx2.Multiply(keyed.AsUInt32(), (keyed >> 32).AsUInt32());
        Vector256<ulong> swapped = Avx2.Shuffle(data.AsUInt32(), 0x4E).AsUInt64();
        return sums + swapped + product;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Scramble(Vector256<ulong> sums, byte* secret)
    {
        Vector256<ulong> keyed = sums ^ sums >> 47 ^ Vector256.Load((ulong*)secret);
        Vector256<uint> prime = Vector256.Create((uint)Prime32A);
        Vector256<ulong> low = Avx2.Multiply(keyed.AsUInt32(), prime);
        Vector256<ulong> high = Avx2.Multiply((keyed >> 32).AsUInt32(), prime);
        return low + (high << 32);
    }

    /// <summary>XXH3 of more than 240 bytes; needs AVX2.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong HashLong(byte* at, ulong length, byte* secret)
    {
        Vector256<ulong> low = Vector256.Create(Prime32C, Prime64A, Prime64B, Prime64C);
        Vector256<ulong> high = Vector256.Create(Prime64D, Prime32B, Prime64E, Prime32A);
        // The last stripe is added by itself, behind all whole ones but one that ends the text.
        ulong stripes = (length - 1) / StripeBytes;
        byte* piece = at;
        while (stripes > 0)
        {
            ulong part = stripes < StripesPerBlock ? stripes : StripesPerBlock;
            byte* key = secret;
            byte* keyEnd = secret + 8 * part;
            for (; key < keyEnd; key += 8, piece += StripeBytes)
            {
                low = Accumulate(low, piece, key);
                high = Accumulate(high, piece + 32, key + 32);
            }
            stripes -= part;
            if (part == StripesPerBlock)
            {
                low = Scramble(low, secret + SecretBytes - StripeBytes);
                high = Scramble(high, secret + SecretBytes - StripeBytes + 32);
            }
        }
        low = Accumulate(low, at + length - StripeBytes, secret + SecretBytes - StripeBytes - 7);
        high = Accumulate(high, at + length - StripeBytes + 32, secret + SecretBytes - StripeBytes - 7 + 32);
        return Merge(low, high, length * Prime64A, secret + 11);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Merge(Vector256<ulong> low, Vector256<ulong> high, ulong sum, byte* secret)
    {
        low ^= Vector256.Load((ulong*)secret);
        high ^= Vector256.Load((ulong*)(secret + 32));
        sum += Uint128.Fold(low[0], low[1]) + Uint128.Fold(low[2], low[3]);
        sum += Uint128.Fold(high[0], high[1]) + Uint128.Fold(high[2], high[3]);
        return Avalanche(sum);
    }
}
