using System;
using System.Globalization;
using System.IO;

namespace MatchRace.Record;

// Which file stands at an address, by the process's own table of mappings.
internal static class LoadedLibrary
{
    internal static string PathOf(nint address)
    {
        foreach (string line in File.ReadLines("/proc/self/maps"))
        {
            // "from-to rights offset device inode   path"
            int dash = line.IndexOf('-', StringComparison.Ordinal);
            int space = line.IndexOf(' ', StringComparison.Ordinal);
            int path = line.IndexOf('/', StringComparison.Ordinal);
            if (path >= 0 && Hex(line.AsSpan(0, dash)) <= (nuint)address &&
                (nuint)address < Hex(line.AsSpan(dash + 1, space - dash - 1)))
            {
                return line[path..];
            }
        }
        throw new InvalidOperationException("the native library stands in no file");
    }

    private static nuint Hex(ReadOnlySpan<char> digits) =>
        nuint.Parse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
}
