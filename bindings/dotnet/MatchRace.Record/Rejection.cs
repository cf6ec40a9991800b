using System.Runtime.InteropServices;

namespace MatchRace.Record;

/// <summary>Why and where a batch was rejected.</summary>
/// <param name="Reason">Why.</param>
/// <param name="RecordIndex">Index of the record in which reading stopped.</param>
/// <param name="ByteOffset">Offset of the byte at fault in the JSON text.</param>
public readonly record struct Rejection(RejectionReason Reason, int RecordIndex, long ByteOffset)
{
    /// <summary>A sentence for people, with the place.</summary>
    public override unsafe string ToString()
    {
        string text = Marshal.PtrToStringUTF8((nint)Native.ErrorText((uint)Reason))!;
        return Reason == RejectionReason.None ? text : $"record {RecordIndex}, byte {ByteOffset}: {text}";
    }
}
