using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;

namespace MatchRace.Record;

/// <summary>
/// A record where it stands, in canonical form: 32 bytes of numbers, then source and message. Nothing is copied before a
/// property is asked for, and nothing is allocated but by the two that make strings.
/// </summary>
public readonly ref struct RecordView
{
    /// <summary>Bytes before <see cref="Source"/>.</summary>
    public const int HeadBytes = 32;

    internal const int TimestampOffset = 8;
    internal const int ValueOffset = 16;
    internal const int KindOffset = 24;
    internal const int FlagsOffset = 25;
    internal const int SourceBytesOffset = 26;
    internal const int MessageBytesOffset = 28;

    /// <summary>Looks at the record that <paramref name="records"/> begins with.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no whole record.</exception>
    public RecordView(ReadOnlySpan<byte> records)
    {
        ReadOnlySpan<byte> head = records[..HeadBytes];
        uint source = BinaryPrimitives.ReadUInt16LittleEndian(head[SourceBytesOffset..]);
        ulong bytes = HeadBytes + (ulong)source + BinaryPrimitives.ReadUInt32LittleEndian(head[MessageBytesOffset..]);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, (ulong)records.Length, nameof(records));
        CanonicalForm = records[..(int)bytes];
    }

    /// <summary>The record's number: 0 to 2^63 − 1.</summary>
    public ulong Id => BinaryPrimitives.ReadUInt64LittleEndian(CanonicalForm);

    /// <summary>When, in µs since 1970-01-01 UTC.</summary>
    public ulong TimestampUs => BinaryPrimitives.ReadUInt64LittleEndian(CanonicalForm[TimestampOffset..]);

    /// <summary>When; exact, for a tick is a tenth of a µs.</summary>
    public DateTimeOffset Timestamp =>
        DateTimeOffset.UnixEpoch.AddTicks((long)TimestampUs * TimeSpan.TicksPerMicrosecond);

    /// <summary>The value: finite, within ±10^15, the nearest to what was written; −0.0 stays.</summary>
    public double Value => BinaryPrimitives.ReadDoubleLittleEndian(CanonicalForm[ValueOffset..]);

    /// <summary>The kind.</summary>
    public RecordKind Kind => (RecordKind)CanonicalForm[KindOffset];

    /// <summary>The flags.</summary>
    public RecordFlags Flags => (RecordFlags)CanonicalForm[FlagsOffset];

    /// <summary>Who sent it: 1 to 64 bytes of valid UTF-8.</summary>
    public ReadOnlySpan<byte> Source => CanonicalForm.Slice(HeadBytes, SourceLength);

    /// <summary>What was said: 0 to 4,096 bytes of valid UTF-8.</summary>
    public ReadOnlySpan<byte> Message => CanonicalForm[(HeadBytes + SourceLength)..];

    /// <summary><see cref="Source"/> as a new string.</summary>
    public string SourceText => Encoding.UTF8.GetString(Source);

    /// <summary><see cref="Message"/> as a new string.</summary>
    public string MessageText => Encoding.UTF8.GetString(Message);

    /// <summary>All of the record, without the padding behind.</summary>
    public ReadOnlySpan<byte> CanonicalForm { get; }

    /// <summary>XXH3 of <see cref="CanonicalForm"/>, computed now (64 bits, seed 0).</summary>
    public unsafe ulong ComputeDigest()
    {
        fixed (byte* record = CanonicalForm)
        {
            return Native.RecordDigest(record);
        }
    }

    /// <summary>Distance to the next record of its batch.</summary>
    public int StrideBytes => (CanonicalForm.Length + 7) & ~7;

    private int SourceLength => BinaryPrimitives.ReadUInt16LittleEndian(CanonicalForm[SourceBytesOffset..]);
}
