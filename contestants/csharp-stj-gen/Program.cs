using System.Text.Json;
using MatchRace.Common;
using MatchRace.StjGen;

return NotesMain.Run(args, new NotesContestant
{
    Name = "csharp-stj-gen",
    Profile = "html",
    CreateWriter = GeneratedWriter.Create,
    Assemblies = [typeof(JsonSerializer).Assembly],
});
