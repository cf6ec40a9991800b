using System.Text.Json;
using MatchRace.Common;
using MatchRace.Stj;

// [notes] What ./lab new-contestant leaves out of a skeleton.
#if NOTES
if (args is ["notes", ..])
{
    return NotesMain.Run(args, MatchRace.Stj.Notes.ReflectionWriter.Contestant);
}
#endif
// [/notes]
return ContestantMain.Run(args, new Contestant<StjParser, RecordsPlace>
{
    Name = "csharp-stj",
    CreateParser = _ => default,
    CreatePlace = mode => new RecordsPlace(mode),
    Assemblies = [typeof(Utf8JsonReader).Assembly, typeof(System.IO.Hashing.XxHash3).Assembly],
});
