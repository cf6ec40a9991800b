// BatchRoom.cs: what the C kernels have on their stacks: behind the scratch memory instead, for a method with an array
// in its frame is checked for overruns at its end, and is not optimized further while it runs.
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>A batch on its way through a vector kernel: struct batch of kernel_batch.h.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Batch
{
    public Chunk Chunk;
    public void* Sums;
    public SumsColumns* Columns;
    public Totals* Totals;

    /// <summary>Records that wait to be added to the sums, as pointers.</summary>
    public fixed ulong Waiting[8];

    public nuint WaitingCount;
    public Reader Reader;
    public Result Result;
    public byte* Records;

    /// <summary>The last record, or the opening bracket.</summary>
    public byte* Behind;

    /// <summary>Of records.</summary>
    public ulong DigestedBytes;

    /// <summary>So many records before did not begin as the contract's order does.</summary>
    public uint Unordered;

    /// <summary>What MatchAnyOrder() has found.</summary>
    public Layout Layout;

    /// <summary>The closing bracket was read, or a fault.</summary>
    public bool Ended;
}

/// <summary>Room of one parser for what the vector kernels need besides the scratch memory.</summary>
[StructLayout(LayoutKind.Explicit, Size = TotalBytes)]
internal unsafe struct BatchRoom
{
    /// <summary>Room for a word that was written with escapes: 64 bytes, and what their copies overwrite.</summary>
    public const int WordBytes = 256;

    /// <summary>Room for a kernel's sums.</summary>
    public const int SumsBytes = 1024;

    /// <summary>Room for a chunk's last, cut-off block.</summary>
    public const int TailBytes = 256;

    /// <summary>Room for a kernel's ReadAnyOrder().</summary>
    public const int AnyOrderBytes = 512;

    private const int BatchBytes = 512;
    private const int TailAt = BatchBytes;
    private const int WordAt = TailAt + TailBytes;
    private const int SumsAt = WordAt + WordBytes;
    private const int ColumnsAt = SumsAt + SumsBytes;
    private const int ValuesAt = ColumnsAt + 512;
    private const int AnyOrderAt = ValuesAt + 64;
    public const int TotalBytes = AnyOrderAt + AnyOrderBytes;

    [FieldOffset(0)] public Batch Batch;
    [FieldOffset(TailAt)] public fixed byte Tail[TailBytes];
    [FieldOffset(WordAt)] public fixed byte Word[WordBytes];
    [FieldOffset(SumsAt)] public fixed byte Sums[SumsBytes];
    [FieldOffset(ColumnsAt)] public SumsColumns Columns;
    [FieldOffset(AnyOrderAt)] public fixed byte AnyOrder[AnyOrderBytes];

    /// <summary>Where keys with escapes were found: values of a layout, and the keys seen.</summary>
    [FieldOffset(ValuesAt)] public ulong Values;

    [FieldOffset(ValuesAt + 8)] public uint Seen;
}
