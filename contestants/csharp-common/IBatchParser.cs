namespace MatchRace.Common;

/// <summary>
/// A contestant's parser: implemented by a struct (which may hold a class), so that the layer's generics are compiled for
/// it and the call is direct. A parser is used by one thread at a time, and it may be another thread each time.
/// </summary>
public interface IBatchParser<TPlace>
    where TPlace : KeptPlace
{
    /// <summary>The variant that really runs, for WELCOME; null where there is only one.</summary>
    string? Kernel { get; }

    /// <summary>
    /// Parses one batch strictly by docs/PROTOCOL.md, section 1, into <paramref name="place"/>. A rejection is said by
    /// <see cref="BatchResult.Reject"/>; the place's content then means nothing. An exception that leaves this method
    /// ends the program: it is a fault of the contestant.
    /// </summary>
    void Parse(in Payload payload, TPlace place, ref BatchResult result);
}
