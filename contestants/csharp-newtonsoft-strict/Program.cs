using MatchRace.Common;
using MatchRace.NewtonsoftStrict;
using Newtonsoft.Json;

return ContestantMain.Run(args, new Contestant<StrictParser, RecordsPlace>
{
    Name = "csharp-newtonsoft-strict",
    CreateParser = _ => new StrictParser(),
    CreatePlace = mode => new RecordsPlace(mode),
    Assemblies = [typeof(JsonTextReader).Assembly, typeof(System.IO.Hashing.XxHash3).Assembly],
});
