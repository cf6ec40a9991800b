using System;

namespace MatchRace.Common;

/// <summary>A pinned buffer with the padding that a parser may load around what stands in it.</summary>
internal sealed class PaddedBuffer(int capacityBytes)
{
    public const int Start = Payload.PadFront;

    /// <summary>Not cleared, but for what a parser may load without having been written.</summary>
    public byte[] Memory { get; } =
        GC.AllocateUninitializedArray<byte>(checked(Payload.PadFront + capacityBytes + Payload.PadBack), pinned: true);

    public int CapacityBytes { get; } = capacityBytes;
}
