using System;
using System.Runtime.InteropServices;

namespace MatchRace.Common;

/// <summary>
/// Copies in canonical form, one behind the other (<see cref="RecordForm"/>). In mode keep the memory is pinned, aligned to
/// 64 bytes, and used again; in mode fresh it is a new array of the garbage collector's for every batch, aligned to 8 and
/// not pinned.
/// </summary>
public sealed class RecordsPlace(Mode mode) : KeptPlace
{
    private const int Alignment = 64;
    private const int SlackFactor = 4;
    private const int SlackBytes = 65536;

    private byte[] _memory = [];
    private int _start;
    private int _usedBytes;
    private uint _records;

    public override uint Records => _records;

    public override long KeptBytes => _usedBytes;

    /// <summary>The array in which the records stand.</summary>
    public byte[] Memory => _memory;

    /// <summary>Index of the first record in <see cref="Memory"/>.</summary>
    public int Start => _start;

    /// <summary>Room for the next batch's records; what stood here is gone. Its content is not cleared.</summary>
    public Span<byte> Open(int capacityBytes)
    {
        _usedBytes = 0;
        _records = 0;
        if (_memory.Length - _start < capacityBytes)
        {
            Allocate(capacityBytes);
        }
        return _memory.AsSpan(_start, capacityBytes);
    }

    /// <summary>Says what was written: the sum of the strides, and the number of records.</summary>
    public void Close(int usedBytes, uint records)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)usedBytes, (uint)(_memory.Length - _start));
        _usedBytes = usedBytes;
        _records = records;
    }

    public override ulong ComputeDigest() => RecordForm.DigestOf(_memory.AsSpan(_start, _usedBytes), _records);

    public override void AddTo(ref Totals totals) =>
        RecordForm.AddTo(ref totals, _memory.AsSpan(_start, _usedBytes), _records);

    public override long HeldBytes => _memory.Length;

    public override void Trim(bool exactly)
    {
        long allowedBytes = exactly ? _usedBytes + 2 * Alignment : (long)_usedBytes * SlackFactor + SlackBytes;
        if (_memory.Length <= allowedBytes)
        {
            return;
        }
        ReadOnlySpan<byte> old = _memory.AsSpan(_start, _usedBytes);
        AllocateExactly(_usedBytes);
        old.CopyTo(_memory.AsSpan(_start));
    }

    private void Allocate(int capacityBytes)
    {
        if (mode == Mode.Fresh)
        {
            AllocateExactly(capacityBytes);
            return;
        }
        // An eighth more: batches of about the same size stop growing it after one round.
        AllocateExactly((int)Math.Min((long)capacityBytes + capacityBytes / 8, Array.MaxLength - Alignment));
    }

    private void AllocateExactly(int capacityBytes)
    {
        if (mode == Mode.Fresh)
        {
            _memory = GC.AllocateUninitializedArray<byte>(capacityBytes);
            _start = 0;
            return;
        }
        _memory = GC.AllocateUninitializedArray<byte>(capacityBytes + Alignment, pinned: true);
        int misaligned = (int)(Marshal.UnsafeAddrOfPinnedArrayElement(_memory, 0) % Alignment);
        _start = misaligned == 0 ? 0 : Alignment - misaligned;
    }
}
