using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

[assembly: DisableRuntimeMarshalling]
[assembly: DefaultDllImportSearchPaths(DllImportSearchPath.AssemblyDirectory | DllImportSearchPath.SafeDirectories)]

namespace MatchRace.Record;

// libmatchrace.so: the functions of include/matchrace that this library calls. Every argument is blittable, so a call is
// a jump and the runtime's note that this thread may be passed over by the garbage collector. That note is never
// suppressed: a batch takes long enough for a collection to wait for it.
internal static unsafe partial class Native
{
    private const string Library = "matchrace";

    [LibraryImport(Library, EntryPoint = "mr_abi")]
    internal static partial NativeAbi* Abi();

    [LibraryImport(Library, EntryPoint = "mr_error_text")]
    internal static partial byte* ErrorText(uint error);

    [LibraryImport(Library, EntryPoint = "mr_kernel_count")]
    internal static partial nuint KernelCount();

    [LibraryImport(Library, EntryPoint = "mr_kernel_by_index")]
    internal static partial NativeKernelInfo KernelByIndex(nuint index);

    [LibraryImport(Library, EntryPoint = "mr_parser_create")]
    internal static partial int ParserCreate(byte* kernel, nint* parser);

    [LibraryImport(Library, EntryPoint = "mr_parser_destroy")]
    internal static partial void ParserDestroy(nint parser);

    [LibraryImport(Library, EntryPoint = "mr_parser_kernel")]
    internal static partial byte* ParserKernel(ParserHandle parser);

    [LibraryImport(Library, EntryPoint = "mr_parser_parse")]
    internal static partial void ParserParse(ParserHandle parser, byte* json, nuint jsonBytes, byte* records,
                                             NativeResult* result);

    [LibraryImport(Library, EntryPoint = "mr_record_digest")]
    internal static partial ulong RecordDigest(byte* record);

    [LibraryImport(Library, EntryPoint = "mr_totals_init")]
    internal static partial void TotalsInit(BatchTotals* totals);

    [LibraryImport(Library, EntryPoint = "mr_totals_accept")]
    internal static partial void TotalsAccept(BatchTotals* totals, byte* records, uint count, ulong digest,
                                              ulong payloadBytes);
}

// struct mr_kernel_info.
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeKernelInfo
{
    public byte* Name;
    public byte* Needs;
    public byte Supported;
}

// struct mr_result.
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeResult
{
    public uint Error;
    public uint Records;
    public ulong Digest;
    public ulong UsedBytes;
    public uint ErrorRecord;
    public ulong ErrorOffset;
    public BatchTotals* Totals;
}

// struct mr_abi.
[StructLayout(LayoutKind.Sequential)]
internal struct NativeAbi
{
    public uint Version;
    public uint AbiBytes;
    public uint RecordBytes;
    public uint RecordLast;
    public uint ResultBytes;
    public uint ResultLast;
    public uint TotalsBytes;
    public uint TotalsLast;
    public uint PadFrontBytes;
    public uint PadBackBytes;
    public uint SlackBytes;
}
