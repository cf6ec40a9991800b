// SetBitsTable.cs: the set bits of a byte, as indexes of a shuffle that brings the bytes they stand for to the front;
// set_bits.h, gen_set_bits.c.
namespace MatchRace.Tuned;

internal static unsafe class SetBitsTable
{
    /// <summary>Fills 256 rows of 8, zeros before.</summary>
    public static void Fill(byte* rows)
    {
        for (int value = 0; value < 256; value++)
        {
            byte* to = rows + 8 * value;
            for (int bit = 0; bit < 8; bit++)
            {
                if ((value >> bit & 1) != 0)
                {
                    *to++ = (byte)bit;
                }
            }
        }
    }
}
