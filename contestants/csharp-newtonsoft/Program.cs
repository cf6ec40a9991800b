using MatchRace.Common;
using MatchRace.NewtonsoftJson;
using Newtonsoft.Json;

if (args is ["notes", ..])
{
    return NotesMain.Run(args, MatchRace.NewtonsoftJson.Notes.NewtonsoftWriter.Contestant);
}
return ContestantMain.Run(args, new Contestant<NewtonsoftParser, RecordsPlace>
{
    Name = "csharp-newtonsoft",
    CreateParser = _ => new NewtonsoftParser(),
    CreatePlace = mode => new RecordsPlace(mode),
    Assemblies = [typeof(JsonTextReader).Assembly, typeof(System.IO.Hashing.XxHash3).Assembly],
});
