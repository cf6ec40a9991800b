// Contract.cs: limits, records and totals of docs/PROTOCOL.md; include/matchrace/contract.h, byte for byte.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>Limits of section 1, and room around texts and records.</summary>
public static class Contract
{
    public const uint BatchRecordsMax = 65535;
    public const ulong IdMax = 9223372036854775807;
    public const ulong TimestampUsMax = 253402300799999999;
    public const uint SourceBytesMax = 64;
    public const uint MessageBytesMax = 4096;
    public const double ValueLimit = 1e15;
    public const int KindCount = 8;
    public const int FlagCount = 8;
    public const uint RecordHeadBytes = 32;

    /// <summary>Bytes before a JSON text that must be readable; what stands there changes nothing.</summary>
    public const uint PadFront = 64;

    /// <summary>Bytes behind a JSON text that must be readable; what stands there changes nothing.</summary>
    public const uint PadBack = 64;

    /// <summary>What a parser may overwrite behind its last record.</summary>
    public const uint RecordsSlack = 256;

    /// <summary>Room that the records of any JSON text of <paramref name="jsonBytes"/> bytes need, in bytes.</summary>
    public static nuint RecordsCapacity(nuint jsonBytes) => jsonBytes + RecordsSlack;

    /// <summary>Distance from a record to the next of its batch, in bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe ulong RecordStride(Record* record) => (RecordBytes(record) + 7) & ~7UL;

    /// <summary>Bytes of the canonical form of a record: head and text, no padding.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe ulong RecordBytes(Record* record) =>
        RecordHeadBytes + (ulong)record->SourceBytes + record->MessageBytes;
}

/// <summary>A typed record's head: struct mr_record. Its text stands right behind it, source first.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Record
{
    public ulong Id;
    public ulong TimestampUs;
    public ulong ValueBits;
    public byte Kind;
    public byte Flags;
    public ushort SourceBytes;
    public uint MessageBytes;
}

/// <summary>Totals of section 3: struct mr_totals. The four extremes mean nothing while Records is 0.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct Totals
{
    public ulong BatchesAccepted;
    public ulong BatchesRejected;
    public ulong Records;
    public ulong PayloadBytes;
    public ulong Digest;
    public fixed ulong Kinds[Contract.KindCount];
    public fixed ulong Flags[Contract.FlagCount];
    public ulong SourceBytes;
    public ulong MessageBytes;
    public ulong TimestampMin;
    public ulong TimestampMax;
    public ulong ValueMinBits;
    public ulong ValueMaxBits;
    public ulong ValueSum;
}
