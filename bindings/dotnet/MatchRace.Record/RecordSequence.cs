using System;

namespace MatchRace.Record;

/// <summary>Records that follow each other in memory, as the parser writes them; for <c>foreach</c>.</summary>
public readonly ref struct RecordSequence
{
    internal const int SlackBytes = 256;

    private readonly ReadOnlySpan<byte> _memory;

    /// <summary>The <paramref name="count"/> records from the beginning of <paramref name="memory"/> on.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    public RecordSequence(ReadOnlySpan<byte> memory, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        _memory = memory;
        Count = count;
    }

    /// <summary>Records.</summary>
    public int Count { get; }

    /// <summary>Room that the records of any text of <paramref name="jsonBytes"/> bytes need, in bytes.</summary>
    /// <exception cref="OverflowException">More than an array has.</exception>
    public static int CapacityFor(int jsonBytes) => checked(jsonBytes + SlackBytes);

    /// <summary>Begins at the first record.</summary>
    public Enumerator GetEnumerator() => new(_memory, Count);

    /// <summary>Goes from record to record.</summary>
    public ref struct Enumerator
    {
        private ReadOnlySpan<byte> _rest;
        private int _left;

        internal Enumerator(ReadOnlySpan<byte> memory, int count)
        {
            _rest = memory;
            _left = count;
        }

        /// <summary>The record reached.</summary>
        public RecordView Current { get; private set; }

        /// <summary>Goes to the next record; false: there is none.</summary>
        /// <exception cref="ArgumentOutOfRangeException">The memory ends within a record: it is not as it was parsed.
        /// </exception>
        public bool MoveNext()
        {
            if (_left == 0)
            {
                return false;
            }
            Current = new RecordView(_rest);
            _left--;
            _rest = _rest[Math.Min(Current.StrideBytes, _rest.Length)..];
            return true;
        }
    }
}
