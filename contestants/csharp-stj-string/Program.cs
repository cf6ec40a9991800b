using System.Text.Json;
using MatchRace.Common;
using MatchRace.StjString;

return ContestantMain.Run(args, new Contestant<StringParser, StringsPlace>
{
    Name = "csharp-stj-string",
    CreateParser = _ => new StringParser(),
    CreatePlace = mode => new StringsPlace(mode),
    Assemblies = [typeof(Utf8JsonReader).Assembly, typeof(System.IO.Hashing.XxHash3).Assembly],
});
