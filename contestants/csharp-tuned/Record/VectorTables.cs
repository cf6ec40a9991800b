// VectorTables.cs: what the vector kernels have in memory besides the schema: their part of Tables.
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

internal static unsafe class VectorTables
{
    private const int LastBytesAt = Tables.VectorsAt;
    private const int SqueezeDotAt = LastBytesAt + 64;
    private const int QuotientPowersAt = SqueezeDotAt + 256;
    private const int CutPowersAt = QuotientPowersAt + 256;
    private const int JoinHalvesAt = CutPowersAt + 192;

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

    /// <summary>
    /// Shuffles, by n up to 8, that put the first eight bytes of sixteen, of which n count, and the last eight together.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* JoinHalves(byte* tables) => tables + JoinHalvesAt;

    /// <summary>Fills the tables of this file, zeros before.</summary>
    public static void Fill(byte* tables)
    {
        Unsafe.InitBlock(LastBytes(tables) + 32, 0xFF, 32);
        FillSqueezes(SqueezeDot(tables));
        FillJoins(JoinHalves(tables));
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
    }

    private static void FillJoins(byte* rows)
    {
        for (int count = 0; count <= 8; count++)
        {
            byte* row = rows + 16 * count;
            for (int i = 0; i < 16; i++)
            {
                row[i] = (byte)(i < count ? i : i < count + 8 ? 8 + i - count : 8);
            }
        }
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
}
