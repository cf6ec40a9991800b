namespace MatchRace.Common;

/// <summary>
/// Where one batch's typed copies stand. The layer owns the ring of 64 (and a 65th to parse into): in mode keep and totals
/// a place is parsed into again and again, in mode fresh every batch gets a new one, which the garbage collector takes
/// when the batch leaves. A contestant uses <see cref="RecordsPlace"/> or a type of its own, which holds what its language
/// holds (strings, objects) and nothing of what was received. One thread uses a place at a time.
/// </summary>
public abstract class KeptPlace
{
    /// <summary>Records of the batch that stands here.</summary>
    public abstract uint Records { get; }

    /// <summary>Bytes of the copies, for --max-kept.</summary>
    public abstract long KeptBytes { get; }

    /// <summary>Sum of the records' digests, computed from the copies (KEPT, section 5): never remembered.</summary>
    public abstract ulong ComputeDigest();

    /// <summary>Adds the records to totals by <see cref="Totals.AddRecord"/>; called only where the parser did not
    /// make them on its way.</summary>
    public abstract void AddTo(ref Totals totals);

    /// <summary>Bytes of memory that the place holds, the copies included; what is reserved counts.</summary>
    public virtual long HeldBytes => KeptBytes;

    /// <summary>
    /// The batch was accepted and is kept: memory far beyond its content goes back, so that white space isn't kept; with
    /// <paramref name="exactly"/> (the ring holds more than --max-kept) everything beyond it.
    /// </summary>
    public virtual void Trim(bool exactly)
    {
    }
}
