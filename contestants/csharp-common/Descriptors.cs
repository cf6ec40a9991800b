using System.Runtime.InteropServices;

namespace MatchRace.Common;

/// <summary>The limit of descriptors of this process (RLIMIT_NOFILE of 64-bit Linux).</summary>
internal static class Descriptors
{
    private const int Number = 7;

    [StructLayout(LayoutKind.Sequential)]
    private struct Limit
    {
        public ulong Soft;
        public ulong Hard;
    }

    /// <summary>Raises the soft limit to the hard one. Returns what it is then.</summary>
    public static ulong Raise()
    {
        Limit limit = default;
        if (GetLimit(Number, ref limit) != 0)
        {
            throw new EnvironmentException("cannot read the limit of descriptors");
        }
        Limit raised = new() { Soft = limit.Hard, Hard = limit.Hard };
        return limit.Soft < limit.Hard && SetLimit(Number, ref raised) == 0 ? raised.Soft : limit.Soft;
    }

    [DllImport("libc", EntryPoint = "getrlimit")]
    private static extern int GetLimit(int resource, ref Limit limit);

    [DllImport("libc", EntryPoint = "setrlimit")]
    private static extern int SetLimit(int resource, ref Limit limit);
}
