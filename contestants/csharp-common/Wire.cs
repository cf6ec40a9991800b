using System;
using System.Buffers.Binary;

namespace MatchRace.Common;

/// <summary>Numbers of docs/PROTOCOL.md, section 5.</summary>
internal static class Wire
{
    public const int Version = 1;
    public const int HeadBytes = 16;
    public const int AckBytes = 32;
    public const uint MaxPayloadBytesDefault = 16 << 20;
    public const long MaxKeptBytesDefault = 256 << 20;
    public const int MaxConnectionsDefault = 4096;

    /// <summary>With more unsent replies a connection isn't read.</summary>
    public const int UnsentBytesLimit = 1 << 20;

    /// <summary>How long a client has to end its side after ERROR.</summary>
    public static readonly TimeSpan Linger = TimeSpan.FromSeconds(1);

    public const byte Hello = 0x01;
    public const byte Batch = 0x02;
    public const byte Stats = 0x03;
    public const byte KeptRequest = 0x04;
    public const byte Welcome = 0x81;
    public const byte AckReply = 0x82;
    public const byte StatsReply = 0x83;
    public const byte KeptReply = 0x84;
    public const byte Error = 0xFF;

    public static void WriteAck(Span<byte> bytes, in Ack ack)
    {
        bytes = bytes[..AckBytes];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, ack.Status);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[4..], ack.Records);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], ack.Digest);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[16..], ack.Error);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[20..], ack.ErrorRecord);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[24..], ack.ErrorOffset);
    }
}

/// <summary>A frame's header.</summary>
internal struct FrameHead
{
    public uint PayloadBytes;
    public byte Type;
    public byte Version;
    public ushort Reserved;
    public ulong Sequence;

    public static FrameHead Read(ReadOnlySpan<byte> bytes)
    {
        bytes = bytes[..Wire.HeadBytes];
        return new FrameHead
        {
            PayloadBytes = BinaryPrimitives.ReadUInt32LittleEndian(bytes),
            Type = bytes[4],
            Version = bytes[5],
            Reserved = BinaryPrimitives.ReadUInt16LittleEndian(bytes[6..]),
            Sequence = BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]),
        };
    }

    public readonly void Write(Span<byte> bytes)
    {
        bytes = bytes[..Wire.HeadBytes];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, PayloadBytes);
        bytes[4] = Type;
        bytes[5] = Version;
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[6..], Reserved);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], Sequence);
    }
}
