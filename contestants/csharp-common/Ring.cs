using System;
using System.Threading;

namespace MatchRace.Common;

/// <summary>What is kept now, recomputed from the copies.</summary>
internal struct Kept
{
    public ulong Batches;
    public ulong Records;
    public ulong Digest;
}

/// <summary>
/// The last 64 accepted batches of a connection, and the place that the next one is parsed into. One thread opens and
/// closes places; any thread may ask for <see cref="AddKept"/>.
/// </summary>
internal sealed class Ring<TPlace>(Mode mode, long maxKeptBytes, Func<Mode, TPlace> createPlace)
    where TPlace : KeptPlace
{
    private const int KeptPlaces = 64;
    private const int Places = KeptPlaces + 1;

    private readonly Lock _lock = new();
    private readonly TPlace?[] _places = new TPlace?[mode == Mode.Totals ? 1 : Places];
    private int _first;
    private int _count;
    private long _keptBytes;
    private long _heldBytes;

    /// <summary>The place to parse the next batch into; closed by <see cref="TryKeep"/> or <see cref="Drop"/>.</summary>
    public TPlace Open()
    {
        ref TPlace? place = ref Next();
        return place ??= createPlace(mode);
    }

    /// <summary>The batch was accepted. False: more than the limit is kept now, and the connection must end.</summary>
    public bool TryKeep()
    {
        if (mode == Mode.Totals)
        {
            return true;
        }
        TPlace place = Next()!;
        place.Trim(exactly: false);
        lock (_lock)
        {
            _count++;
            _keptBytes += place.KeptBytes;
            _heldBytes += place.HeldBytes;
            if (_count > KeptPlaces)
            {
                DropOldest();
            }
            if (_heldBytes > maxKeptBytes)
            {
                TrimAll();
            }
            return _keptBytes <= maxKeptBytes;
        }
    }

    /// <summary>The batch was rejected: the ring is as it was.</summary>
    public void Drop()
    {
        if (mode == Mode.Fresh)
        {
            Next() = null;
        }
    }

    /// <summary>Adds what the ring holds.</summary>
    public void AddKept(ref Kept kept)
    {
        lock (_lock)
        {
            for (int i = 0; i < _count; i++)
            {
                TPlace place = At(i)!;
                kept.Batches++;
                kept.Records += place.Records;
                kept.Digest += place.ComputeDigest();
            }
        }
    }

    private ref TPlace? At(int index) => ref _places[(_first + index) % _places.Length];

    private ref TPlace? Next() => ref At(_count);

    private void DropOldest()
    {
        ref TPlace? oldest = ref At(0);
        _keptBytes -= oldest!.KeptBytes;
        _heldBytes -= oldest.HeldBytes;
        if (mode == Mode.Fresh)
        {
            oldest = null;
        }
        _first = (_first + 1) % _places.Length;
        _count--;
    }

    private void TrimAll()
    {
        _heldBytes = 0;
        for (int i = 0; i < _count; i++)
        {
            TPlace place = At(i)!;
            place.Trim(exactly: true);
            _heldBytes += place.HeldBytes;
        }
    }
}
