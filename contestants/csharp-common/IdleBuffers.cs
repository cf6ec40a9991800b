using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace MatchRace.Common;

/// <summary>
/// Large buffers of connections that wait for input. Who is back within a second finds its buffer here; what lies longer is
/// let go. When the last one is, the garbage collector is told to give memory back to the system: a server at work collects
/// by itself, an idle one never would.
/// </summary>
internal sealed class IdleBuffers
{
    private const int PatienceMs = 1000;

    private readonly Lock _lock = new();
    private readonly Dictionary<FrameReader, (PaddedBuffer Buffer, long SinceMs)> _parked = [];
    private readonly Timer _timer;

    public IdleBuffers() => _timer = new Timer(_ => LetGo(), null, Timeout.Infinite, Timeout.Infinite);

    public void Park(FrameReader owner, PaddedBuffer buffer)
    {
        lock (_lock)
        {
            _parked[owner] = (buffer, Environment.TickCount64);
            if (_parked.Count == 1)
            {
                _ = _timer.Change(PatienceMs, PatienceMs);
            }
        }
    }

    /// <summary>What <paramref name="owner"/> parked, or null where it lay too long.</summary>
    public PaddedBuffer? Take(FrameReader owner)
    {
        lock (_lock)
        {
            return _parked.Remove(owner, out (PaddedBuffer Buffer, long SinceMs) parked) ? parked.Buffer : null;
        }
    }

    private void LetGo()
    {
        lock (_lock)
        {
            long endMs = Environment.TickCount64 - PatienceMs;
            FrameReader[] gone = [.. _parked.Where(one => one.Value.SinceMs <= endMs).Select(one => one.Key)];
            foreach (FrameReader owner in gone)
            {
                _ = _parked.Remove(owner);
            }
            if (_parked.Count > 0)
            {
                return;
            }
            _ = _timer.Change(Timeout.Infinite, Timeout.Infinite);
            if (gone.Length == 0)
            {
                return;
            }
        }
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
