using System.IO;

namespace MatchRace.Common;

/// <summary>Stepping: a line on standard input before each pass or iteration.</summary>
internal static class StepInput
{
    /// <summary>Reads to the end of a line. False: standard input ends before that.</summary>
    public static bool TryReadLine(Stream input)
    {
        int one;
        do
        {
            one = input.ReadByte();
        }
        while (one is not ('\n' or -1));
        return one == '\n';
    }
}
