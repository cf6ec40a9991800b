using System.Text.Json;
using MatchRace.Common;
using MatchRace.StjSerializer;

return ContestantMain.Run(args, new Contestant<SerializerParser, RecordsPlace>
{
    Name = "csharp-stj-serializer",
    CreateParser = _ => new SerializerParser(),
    CreatePlace = mode => new RecordsPlace(mode),
    Assemblies = [typeof(JsonSerializer).Assembly, typeof(System.IO.Hashing.XxHash3).Assembly],
});
