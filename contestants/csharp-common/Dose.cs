using System;
using System.Diagnostics;
using System.Threading;

namespace MatchRace.Common;

/// <summary>
/// A planted slowness, as in lib/serve/dose.h: the process spins in proportion to the CPU time that it used otherwise, the
/// runtime's own threads included. Where several threads parse, one of them pays for all.
/// </summary>
internal sealed class Dose
{
    /// <summary>What --help says of --dose-ppm.</summary>
    public const string Help =
        "A control of a campaign: spin so many millionths of the CPU time used on top of it (default 0).";

    /// <summary>The largest dose: as much again.</summary>
    public const int MaxPpm = 1_000_000;

    // Reading the CPU time is a system call of about a microsecond.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(1);
    private const int SpinTurns = 20;

    private readonly Lock _lock = new();
    private readonly long _ppm;
    private long _settledAt = Stopwatch.GetTimestamp();
    private TimeSpan _cpu = Environment.CpuUsage.TotalTime;
    private long _workTicks;
    private long _spunTicks;

    private Dose(int ppm) => _ppm = ppm;

    /// <summary>A dose of so many millionths; null for none.</summary>
    public static Dose? Of(int ppm) => ppm == 0 ? null : new Dose(ppm);

    /// <summary>To be called between pieces of work: spins what is owed, at most once a millisecond.</summary>
    public void Settle()
    {
        if (Stopwatch.GetElapsedTime(Volatile.Read(ref _settledAt)) < s_pause || !_lock.TryEnter())
        {
            return;
        }
        try
        {
            Spin();
            Volatile.Write(ref _settledAt, Stopwatch.GetTimestamp());
        }
        finally
        {
            _lock.Exit();
        }
    }

    // What is spun too much is owed less the next time.
    private void Spin()
    {
        TimeSpan cpu = Environment.CpuUsage.TotalTime;
        _workTicks += (cpu - _cpu).Ticks;
        long owedTicks = (long)((Int128)_workTicks * _ppm / MaxPpm);
        while (_spunTicks < owedTicks)
        {
            Thread.SpinWait(SpinTurns);
            TimeSpan now = Environment.CpuUsage.TotalTime;
            _spunTicks += (now - cpu).Ticks;
            cpu = now;
        }
        _cpu = cpu;
    }
}
