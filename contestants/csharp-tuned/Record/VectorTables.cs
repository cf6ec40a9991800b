// VectorTables.cs: what the vector kernels have in memory besides the schema: their part of Tables.
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

internal static unsafe class VectorTables
{
    /// <summary>An escape's skip that says: a unit, not decoded yet.</summary>
    private const byte UnitSkip = 0x80;

    private const int EscapeOfAt = Tables.VectorsAt;
    private const int LastBytesAt = EscapeOfAt + 2048;
    private const int SqueezeDotAt = LastBytesAt + 64;
    private const int QuotientPowersAt = SqueezeDotAt + 256;
    private const int CutPowersAt = QuotientPowersAt + 256;
    private const int SumsBeginAt = CutPowersAt + 192;

    /// <summary>By letter, what is written for its escape, as struct Escape; 0: no escape letter.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong* EscapeOf(byte* tables) => (ulong*)(tables + EscapeOfAt);

    /// <summary>Loaded from n on: masks of the last n bytes of 32, or from 16 + n on of 16.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* LastBytes(byte* tables) => tables + LastBytesAt;

    /// <summary>
    /// Shuffles of a value's lane by its dot's place: what stands up to there moves one place to the right, over the dot;
    /// behind it the lane's last byte becomes 0. Row 15: there is no dot.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* SqueezeDot(byte* tables) => tables + SqueezeDotAt;

    /// <summary>Entry i is 10^(15 - i), i up to 15; entry 16 + i is that with a minus.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double* QuotientPowers(byte* tables) => (double*)(tables + QuotientPowersAt);

    /// <summary>Entry i is 10^i, i up to 16.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong* CutPowers(byte* tables) => (ulong*)(tables + CutPowersAt);

    /// <summary>What the eight sums of XXH3 begin with.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* SumsBegin(byte* tables) => tables + SumsBeginAt;

    /// <summary>Fills the tables of this file, zeros before.</summary>
    public static void Fill(byte* tables)
    {
        FillEscapes((Escape*)EscapeOf(tables));
        Unsafe.InitBlock(LastBytes(tables) + 32, 0xFF, 32);
        FillSqueezes(SqueezeDot(tables));
        ulong power = 1;
        for (int i = 0; i <= 16; i++)
        {
            CutPowers(tables)[i] = power;
            if (i < 16)
            {
                QuotientPowers(tables)[15 - i] = power;
                QuotientPowers(tables)[31 - i] = -(double)power;
            }
            power *= 10;
        }
        FillSums((ulong*)SumsBegin(tables));
    }

    private static void FillEscapes(Escape* escapes)
    {
        const string letters = "\"\\/bfnrt";
        const string meanings = "\"\\/\b\f\n\r\t";
        for (int i = 0; i < letters.Length; i++)
        {
            escapes[letters[i]] = new Escape { Text = meanings[i], Bytes = 1, Skip = 1 };
        }
        escapes['u'].Skip = UnitSkip;
    }

    private static void FillSqueezes(byte* rows)
    {
        for (int dot = 0; dot < 16; dot++)
        {
            byte* row = rows + 16 * dot;
            row[0] = 0x80;
            for (int i = 1; i < 16; i++)
            {
                row[i] = (byte)(i <= dot ? i - 1 : i);
            }
            row[15] = (byte)(dot < 15 ? 0x80 : 14);
        }
    }

    private static void FillSums(ulong* sums)
    {
        const ulong prime32First = 0x9E3779B1;
        const ulong prime32Second = 0x85EBCA77;
        const ulong prime32Third = 0xC2B2AE3D;
        sums[0] = prime32Third;
        sums[1] = 0x9E3779B185EBCA87;
        sums[2] = 0xC2B2AE3D27D4EB4F;
        sums[3] = 0x165667B19E3779F9;
        sums[4] = 0x85EBCA77C2B2AE63;
        sums[5] = prime32Second;
        sums[6] = 0x27D4EB2F165667C5;
        sums[7] = prime32First;
    }
}
