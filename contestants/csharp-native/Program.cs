// Program.cs: csharp-native, the C parser behind its .NET binding, as a contestant.
using System.Linq;
using MatchRace.Common;
using MatchRace.Native;
using MatchRace.Record;

return ContestantMain.Run(args, new Contestant<NativeParser, RecordsPlace>
{
    Name = "csharp-native",
    KernelsHelp = string.Join(", ", KernelInfo.BuiltIn.Select(kernel => kernel.Name)),
    CreateParser = options => new NativeParser(options.Kernel),
    CreatePlace = mode => new RecordsPlace(mode),
    Assemblies = [typeof(BatchParser).Assembly],
    NativeLibraries = () => [new Library("libmatchrace", NativeParser.LibraryVersion, BatchParser.NativeLibraryPath)],
});
