using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace MatchRace.Common;

/// <summary>What the process takes of memory, as it sees it itself; when made: the peak until now.</summary>
internal sealed class OwnMemory
{
    private const int MinorFaults = 7;
    private const int MajorFaults = 9;

    public long PeakRssBytesWhenMade { get; } = PeakRssBytes();

    /// <summary>The most bytes that were resident so far.</summary>
    public static long PeakRssBytes()
    {
        string line = File.ReadLines("/proc/self/status").First(one => one.StartsWith("VmHWM:", StringComparison.Ordinal));
        return long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)[^2],
                          CultureInfo.InvariantCulture) << 10;
    }

    /// <summary>Page faults so far: those without reading, and those with.</summary>
    public static (long Minor, long Major) Faults()
    {
        string text = File.ReadAllText("/proc/self/stat");
        string[] words = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return (long.Parse(words[MinorFaults], CultureInfo.InvariantCulture),
                long.Parse(words[MajorFaults], CultureInfo.InvariantCulture));
    }
}
