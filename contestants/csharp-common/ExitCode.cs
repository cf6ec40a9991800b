namespace MatchRace.Common;

/// <summary>Exit codes of the lab (docs/ARCHITECTURE.md).</summary>
internal static class ExitCode
{
    public const int Ok = 0;
    public const int Environment = 1;
    public const int Usage = 2;
}
