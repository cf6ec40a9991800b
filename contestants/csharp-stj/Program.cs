using System.Text.Json;
using MatchRace.Common;
using MatchRace.Stj;

return ContestantMain.Run(args, new Contestant<StjParser, RecordsPlace>
{
    Name = "csharp-stj",
    CreateParser = _ => default,
    CreatePlace = mode => new RecordsPlace(mode),
    Assemblies = [typeof(Utf8JsonReader).Assembly, typeof(System.IO.Hashing.XxHash3).Assembly],
});
