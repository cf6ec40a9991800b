using System;
using System.Diagnostics;
using System.Runtime;
using System.Text;
using System.Threading;

namespace MatchRace.Common;

/// <summary>
/// What the runtime did since its start, for STATS. Totals come from the runtime's own counters when they are asked for. The
/// list of pauses comes from a finalizer that runs after each collection and reads what the collection says of itself: its
/// lengths are the runtime's; its ends are taken when the finalizer thread gets to run, so they are late by that thread's
/// wake-up. A collection that follows before the finalizer has run is in the totals and not in the list.
/// </summary>
internal sealed class RuntimeFigures
{
    // Newer ones push out older ones: 64 Ki pauses are more than a trial has.
    private const int PausesMax = 65536;

    private readonly Lock _lock = new();
    private readonly (ulong StartNs, ulong LengthNs)[] _pauses;
    private long _count;
    private long _lastIndex;

    public RuntimeFigures()
    {
        _pauses = new (ulong, ulong)[PausesMax];
        Sentinel.Drop(this);
    }

    public void AddTo(StringBuilder text)
    {
        StatsText.Add(text, "gc_pause_ns", (ulong)GC.GetTotalPauseDuration().Ticks * 100);
        StatsText.AddArray(text, "gc_collections",
                           [(ulong)GC.CollectionCount(0), (ulong)GC.CollectionCount(1), (ulong)GC.CollectionCount(2)]);
        StatsText.Add(text, "allocated_bytes", (ulong)GC.GetTotalAllocatedBytes(precise: false));
        StatsText.Add(text, "compiled_methods", (ulong)JitInfo.GetCompiledMethodCount());
        _ = text.Append("\"pauses\":[");
        lock (_lock)
        {
            long first = Math.Max(0, _count - PausesMax);
            for (long i = first; i < _count; i++)
            {
                (ulong startNs, ulong lengthNs) = _pauses[i % PausesMax];
                _ = text.Append(i == first ? "[" : ",[");
                StatsText.AddNumber(text, startNs);
                _ = text.Append(',');
                StatsText.AddNumber(text, lengthNs);
                _ = text.Append(']');
            }
        }
        _ = text.Append(']');
    }

    /// <summary>CLOCK_MONOTONIC: the runtime's Stopwatch reads it, in ns on Linux.</summary>
    private static ulong NowNs() =>
        (ulong)(Stopwatch.GetTimestamp() * (1_000_000_000L / Stopwatch.Frequency));

    private void Observe()
    {
        ulong nowNs = NowNs();
        GCMemoryInfo info = GC.GetGCMemoryInfo(GCKind.Any);
        lock (_lock)
        {
            if (info.Index == _lastIndex)
            {
                return;
            }
            _lastIndex = info.Index;
            // A concurrent collection pauses twice; only the later one ended now, and where the earlier one stood
            // nobody tells, so it is not in the list.
            ReadOnlySpan<TimeSpan> durations = info.PauseDurations;
            TimeSpan last = durations.Length > 1 && durations[1] > TimeSpan.Zero ? durations[1] : durations[0];
            ulong lengthNs = (ulong)last.Ticks * 100;
            _pauses[_count % PausesMax] = (nowNs - lengthNs, lengthNs);
            _count++;
        }
    }

    // Nothing refers to it, so the next collection of its generation, the youngest, has it finalized; it then drops a new
    // one.
    private sealed class Sentinel
    {
        private readonly RuntimeFigures _figures;

        private Sentinel(RuntimeFigures figures) => _figures = figures;

        public static void Drop(RuntimeFigures figures) => _ = new Sentinel(figures);

        ~Sentinel()
        {
            if (!Environment.HasShutdownStarted)
            {
                _figures.Observe();
                Drop(_figures);
            }
        }
    }
}
