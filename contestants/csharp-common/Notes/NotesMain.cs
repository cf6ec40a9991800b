using System;
using System.Collections.Generic;

namespace MatchRace.Common;

/// <summary>The main of `CONTESTANT notes …` (docs/SERIAL.md); the same words as lib/inproc.</summary>
public static class NotesMain
{
    private const int CountMax = 10_000_000;

    private static readonly string[] s_forms = ["bytes-reuse", "bytes-fresh", "string-fresh"];
    private static readonly string[] s_corpora = ["ascii", "mixed"];
    private static readonly string[] s_profiles = ["required", "required-upper", "html"];

    /// <summary>Runs the command line, whose first word is `notes`. Returns the exit code: 0, 1 (environment), 2 (usage).</summary>
    public static int Run(string[] args, NotesContestant contestant)
    {
        string word = args.Length > 0 ? args[0] : "";
        if (word is not "notes" and not "--help" and not "-h")
        {
            Console.Error.WriteLine($"{contestant.Name}: the first word is 'notes', not '{word}' (see {contestant.Name} --help)");
            return ExitCode.Usage;
        }
        string name = $"{contestant.Name} notes";
        try
        {
            return RunNotes(name, word is "notes" ? args.AsSpan(1) : args, contestant);
        }
        catch (UsageException e)
        {
            Console.Error.WriteLine($"{name}: {e.Message}");
            return ExitCode.Usage;
        }
        catch (EnvironmentException e)
        {
            Console.Error.WriteLine($"{name}: {e.Message}");
            return ExitCode.Environment;
        }
    }

    internal static string NameOf(NotesForm form) => s_forms[(int)form];

    internal static string CorpusOf(NotesOptions options) => s_corpora[options.IsMixed ? 1 : 0];

    private static int RunNotes(string name, ReadOnlySpan<string> words, NotesContestant contestant)
    {
        ContestantMain.RefuseDebugBuild();
        NotesOptions options = new();
        CommandLine line = new(
            name, "writes notes as one JSON text, again and again (docs/SERIAL.md).", OptionsOf(options),
            "Prints one JSON line an iteration, and one at the end.\n" +
            "Exit codes: 0 ok, 1 memory or output is short, 2 wrong usage.\n",
            $"  {name} --form bytes-reuse --corpus ascii --count 1000000\n" +
            $"  {name} --form string-fresh --corpus mixed --count 1000 --repeat 16\n");
        if (!line.Read(words))
        {
            return ExitCode.Ok;
        }
        if (options.Profile is string profile && profile != contestant.Profile)
        {
            throw new UsageException($"no such form: {NameOf(options.Form)} with --escape {profile} (see {name} --help)");
        }
        new NotesRun(options, contestant).Run();
        return ExitCode.Ok;
    }

    private static List<Option> OptionsOf(NotesOptions options) =>
    [
        Choice("form", "FORM", "What is made, and in whose memory (default bytes-reuse).", s_forms,
               form => options.Form = (NotesForm)form),
        Choice("corpus", "CORPUS", "Texts of the notes (default ascii).", s_corpora, corpus => options.IsMixed = corpus == 1),
        Choice("escape", "PROFILE", "What is escaped (default: what it writes by itself).", s_profiles,
               profile => options.Profile = s_profiles[profile]),
        Count("count", "Notes (default 1000000).", 0, CountMax, count => options.Count = (int)count),
        Count("seed", "Of the random texts (default 42).", 0, long.MaxValue, seed => options.Seed = seed),
        Count("repeat", "So many iterations (default: until warm, 8 to 30 s).", 1, long.MaxValue,
              repeat => options.Repeat = repeat),
        new("step", null, "Wait for a line on standard input before each; end when that ends.", null,
            () => options.IsStepping = true),
        new("output", "FILE", "Write the first text to FILE.", value => { options.Output = value; return true; }),
    ];

    private static Option Choice(string name, string argument, string help, string[] choices, Action<int> set) =>
        new(name, argument, $"{help} One of: {string.Join(' ', choices)}.", value => CommandLine.TakeChoice(value, choices, set),
            Limits: $", one of {string.Join(", ", choices)}");

    private static Option Count(string name, string help, long min, long max, Action<long> set) =>
        new(name, "N", help, value => CommandLine.TakeCount(value, min, max, set),
            Limits: max == long.MaxValue ? $", at least {min}" : $", {min} to {max}");
}
