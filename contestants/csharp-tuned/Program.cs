// Program.cs: csharp-tuned, the C parser line by line in C#, as a contestant.
using MatchRace.Common;
using MatchRace.Tuned;

return ContestantMain.Run(args, new Contestant<TunedParser, RecordsPlace>
{
    Name = "csharp-tuned",
    KernelsHelp = string.Join(", ", Kernels.Names),
    CreateParser = options => new TunedParser(options.Kernel),
    CreatePlace = mode => new RecordsPlace(mode),
    Assemblies = [typeof(Parser).Assembly, typeof(System.IO.Hashing.XxHash3).Assembly],
});
