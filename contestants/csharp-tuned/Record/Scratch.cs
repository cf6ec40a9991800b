// Scratch.cs: the memory that the vector kernels work in: index, stream, masks and escapes of one chunk of text.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>A block of 64 bytes: its quotes, its bytes inside of strings (opening quotes included).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Outside
{
    public ulong Quote;
    public ulong InString;
    public ulong Offset;
}

/// <summary>struct mr_scratch, field by field at the same offsets; aligned to 64.</summary>
[StructLayout(LayoutKind.Explicit, Size = TotalBytes)]
internal unsafe struct Scratch
{
    /// <summary>A chunk stays in the second-level cache together with its index; positions in it fit 16 bits.</summary>
    public const int ChunkBytes = 32768;

    /// <summary>What vector stores may overwrite behind an array's last entry, and what loads may look at.</summary>
    public const int Slack = 128;

    public const int Alignment = 64;

    private const int Blocks = ChunkBytes / 64 + 1;
    private const int Bytes = ChunkBytes + Slack;
    private const int Halves = ChunkBytes / 2 + Slack;

    private const int StreamAt = 0;
    private const int PositionAt = (StreamAt + Bytes + 63) & -64;
    private const int CopyAt = (PositionAt + 2 * Bytes + 63) & -64;
    private const int KeepAt = (CopyAt + Bytes + 63) & -64;
    private const int DigitsAt = (KeepAt + 8 * (Blocks + 2) + 63) & -64;
    private const int UnitAtAt = (DigitsAt + Bytes + 63) & -64;
    private const int UnitTextAt = (UnitAtAt + 2 * Halves + 63) & -64;
    private const int MarksAt = (UnitTextAt + Halves + 63) & -64;
    private const int MarkedAt = MarksAt + 8 * Blocks;
    private const int OutsideAt = (MarkedAt + 4 * Blocks + 7) & -8;
    private const int BeyondAsciiAt = OutsideAt + 24 * Blocks;
    private const int EscapedAt = (BeyondAsciiAt + 2 * Blocks + 7) & -8;
    private const int TouchedAt = EscapedAt + 8 * Blocks;
    private const int EscapedBlocksAt = TouchedAt + 8 * Blocks;
    internal const int TotalBytes = (EscapedBlocksAt + 2 * Blocks + 63) & -64;

    /// <summary>The structural bytes.</summary>
    [FieldOffset(StreamAt)] public fixed byte Stream[Bytes];

    /// <summary>Where each of them stands.</summary>
    [FieldOffset(PositionAt)] public fixed ushort Position[Bytes];

    /// <summary>The text with letters of escapes replaced.</summary>
    [FieldOffset(CopyAt)] public fixed byte Copy[Bytes];

    /// <summary>By block: the bytes of Copy that stay.</summary>
    [FieldOffset(KeepAt)] public fixed ulong Keep[Blocks + 2];

    /// <summary>Four for each unit, that is each escape \uXXXX.</summary>
    [FieldOffset(DigitsAt)] public fixed byte Digits[Bytes];

    /// <summary>Where each unit's u stands.</summary>
    [FieldOffset(UnitAtAt)] public fixed ushort UnitAt[Halves];

    /// <summary>UTF-8 of the units, three bytes each.</summary>
    [FieldOffset(UnitTextAt)] public fixed byte UnitText[Halves];

    /// <summary>By marked block: units, then what takes their text.</summary>
    [FieldOffset(MarksAt)] public fixed ulong Marks[Blocks];

    /// <summary>Offsets of the blocks that have marks.</summary>
    [FieldOffset(MarkedAt)] public fixed uint Marked[Blocks];

    [FieldOffset(OutsideAt)] private fixed ulong outside[3 * Blocks];

    /// <summary>Offsets of blocks to be checked for UTF-8.</summary>
    [FieldOffset(BeyondAsciiAt)] public fixed ushort BeyondAscii[Blocks];

    /// <summary>By block: the bytes behind a backslash.</summary>
    [FieldOffset(EscapedAt)] public fixed ulong Escaped[Blocks];

    /// <summary>By block: not 0 where Copy differs from the text.</summary>
    [FieldOffset(TouchedAt)] public fixed ulong Touched[Blocks];

    /// <summary>Offsets of these blocks.</summary>
    [FieldOffset(EscapedBlocksAt)] public fixed ushort EscapedBlocks[Blocks];

    /// <summary>Blocks that are not all inside a string.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Outside* OutsideOf(Scratch* scratch) => (Outside*)scratch->outside;

    /// <summary>What stands behind the scratch memory of a parser.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static BatchRoom* RoomOf(Scratch* scratch) => (BatchRoom*)(scratch + 1);
}
