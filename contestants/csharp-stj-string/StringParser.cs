using MatchRace.Common;
using MatchRace.Stj;

namespace MatchRace.StjString;

/// <summary>
/// csharp-stj's parser, whose records then become what C# programs hold: numbers, and System.String for text. In mode totals
/// nothing is kept, and no string is made.
/// </summary>
internal readonly struct StringParser : IBatchParser<StringsPlace>
{
    // One batch's canonical records, used again for every batch.
    private readonly RecordsPlace _scratch = new(Mode.Totals);

    public StringParser()
    {
    }

    public string? Kernel => null;

    public void Parse(in Payload payload, StringsPlace place, ref BatchResult result)
    {
        default(StjParser).Parse(payload, _scratch, ref result);
        if (result.Error == BatchError.None)
        {
            place.Take(_scratch.Memory, _scratch.Start, result.Records);
        }
    }
}
