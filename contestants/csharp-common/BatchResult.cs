namespace MatchRace.Common;

/// <summary>What a parser says about one batch. Clear when it is handed to the parser.</summary>
public struct BatchResult
{
    /// <summary><see cref="BatchError.None"/>: accepted.</summary>
    public BatchError Error;

    /// <summary>Accepted records; 0 when rejected.</summary>
    public uint Records;

    /// <summary>Sum mod 2^64 of their digests (section 2); 0 when rejected.</summary>
    public ulong Digest;

    /// <summary>Index of the record in which reading stopped, when rejected.</summary>
    public uint ErrorRecord;

    /// <summary>Offset of the byte at fault, when rejected.</summary>
    public ulong ErrorOffset;

    /// <summary>
    /// True: <see cref="Totals"/> has what the records of this batch add to the totals (batches and payload bytes not
    /// counted), made on the way; the parser began with <see cref="Common.Totals.Clear"/>. False: the layer makes them
    /// from the place.
    /// </summary>
    public bool HasTotals;

    /// <summary>Means something only with <see cref="HasTotals"/>; not cleared between batches.</summary>
    public Totals Totals;

    /// <summary>Says that the batch is rejected.</summary>
    public void Reject(BatchError error, uint record = 0, ulong offset = 0)
    {
        Error = error;
        Records = 0;
        Digest = 0;
        ErrorRecord = record;
        ErrorOffset = offset;
        HasTotals = false;
    }

    internal void Clear()
    {
        Error = BatchError.None;
        Records = 0;
        Digest = 0;
        ErrorRecord = 0;
        ErrorOffset = 0;
        HasTotals = false;
    }
}
