using System;

namespace MatchRace.Common;

/// <summary>
/// One payload to parse. The array is pinned for as long as it lives (a pointer into it needs no <c>fixed</c>);
/// <see cref="PadFront"/> bytes stand in it before <see cref="Start"/> and <see cref="PadBack"/> behind the last byte.
/// They may be loaded, and their content has no meaning.
/// </summary>
public readonly ref struct Payload(byte[] memory, int start, int bytes, bool isWritable)
{
    /// <summary>The same as MR_PAD_FRONT.</summary>
    public const int PadFront = 64;

    /// <summary>The same as MR_PAD_BACK.</summary>
    public const int PadBack = 64;

    public byte[] Memory { get; } = memory;

    /// <summary>Index of the first byte of JSON in <see cref="Memory"/>.</summary>
    public int Start { get; } = start;

    /// <summary>Bytes of JSON; 0 is possible.</summary>
    public int Bytes { get; } = bytes;

    /// <summary>
    /// True: the parser may change the JSON for good, and the padding behind if it puts that back before it returns.
    /// False (command <c>parse</c>): the next pass must see the same bytes.
    /// </summary>
    public bool IsWritable { get; } = isWritable;

    /// <summary>The JSON text.</summary>
    public Span<byte> Json => Memory.AsSpan(Start, Bytes);
}
