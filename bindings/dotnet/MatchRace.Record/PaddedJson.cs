using System;

namespace MatchRace.Record;

/// <summary>
/// JSON text with <see cref="PadBytes"/> bytes of memory before and behind it, which the parser may load with its
/// vectors. Their content has no meaning. So the text is parsed where it stands, without a copy: receive into the middle of an
/// array and leave the rims.
/// </summary>
public readonly ref struct PaddedJson
{
    /// <summary>Bytes needed before and behind the text.</summary>
    public const int PadBytes = 64;

    /// <summary>Names the text inside <paramref name="memory"/>.</summary>
    /// <param name="memory">The text and its rims. It may be the garbage collector's: it stands still while it is parsed.</param>
    /// <param name="start">Index of the text's first byte; at least <see cref="PadBytes"/>.</param>
    /// <param name="length">Bytes of text; 0 is allowed (and no batch).</param>
    /// <exception cref="ArgumentOutOfRangeException">The text or a rim is not inside.</exception>
    public PaddedJson(ReadOnlySpan<byte> memory, int start, int length)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(start, PadBytes);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan((long)start + length + PadBytes, memory.Length, nameof(length));
        Memory = memory;
        Start = start;
        Text = memory.Slice(start, length);
    }

    /// <summary>The text and its rims.</summary>
    public ReadOnlySpan<byte> Memory { get; }

    /// <summary>Index of the text's first byte in <see cref="Memory"/>.</summary>
    public int Start { get; }

    /// <summary>The text.</summary>
    public ReadOnlySpan<byte> Text { get; }
}
