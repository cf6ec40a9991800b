using System.Text.Json;
using MatchRace.Common;
using MatchRace.Writer;

return NotesMain.Run(args, new NotesContestant
{
    Name = "csharp-writer",
    Profile = "html",
    CreateWriter = (form, notes) => new HandWriter(form, notes),
    Assemblies = [typeof(Utf8JsonWriter).Assembly],
});
