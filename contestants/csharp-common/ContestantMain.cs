using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;

namespace MatchRace.Common;

/// <summary>A contestant's main: <c>serve …</c> and <c>parse …</c> of docs/PROTOCOL.md, section 6.</summary>
public static class ContestantMain
{
    private const string IoHelp =
        "How sockets are waited for (default inline): asynchronous and continued on the waiting thread; a blocking thread " +
        "for each connection; asynchronous as by default. One of: inline blocking async.";

    private static readonly string[] s_ioNames = ["inline", "blocking", "async"];

    /// <summary>Runs the command line. Returns the exit code: 0, 1 (environment), 2 (usage).</summary>
    public static int Run<TParser, TPlace>(string[] args, Contestant<TParser, TPlace> contestant)
        where TParser : struct, IBatchParser<TPlace>
        where TPlace : KeptPlace
    {
        string word = args.Length > 0 ? args[0] : "";
        string name = $"{contestant.Name} {word}";
        try
        {
            switch (word)
            {
                case "--help" or "-h":
                    StandardOutput.Write(Help(contestant.Name));
                    return ExitCode.Ok;
                case "serve":
                    RefuseDebugBuild();
                    return Serve(name, args.AsSpan(1), contestant);
                case "parse":
                    RefuseDebugBuild();
                    return Parse(name, args.AsSpan(1), contestant);
                default:
                    Console.Error.WriteLine($"{contestant.Name}: the first word is 'serve' or 'parse', not '{word}' " +
                                            $"(see {contestant.Name} --help)");
                    return ExitCode.Usage;
            }
        }
        catch (UsageException e)
        {
            Console.Error.WriteLine($"{name}: {e.Message}");
            return ExitCode.Usage;
        }
        catch (KernelException e)
        {
            Console.Error.WriteLine($"{name}: {e.Message}");
            return e.IsKnown ? ExitCode.Environment : ExitCode.Usage;
        }
        catch (EnvironmentException e)
        {
            Console.Error.WriteLine($"{name}: {e.Message}");
            return ExitCode.Environment;
        }
    }

    private static int Serve<TParser, TPlace>(string name, ReadOnlySpan<string> words, Contestant<TParser, TPlace> contestant)
        where TParser : struct, IBatchParser<TPlace>
        where TPlace : KeptPlace
    {
        ServeOptions options = new();
        List<Option> list =
        [
            new("listen", "HOST:PORT", "Where to listen; port 0 takes a free one (default 127.0.0.1:0). IPv6: [::1]:0.",
                value => { options.Listen = value; return true; }),
            ModeOption(mode => options.Mode = mode),
            CountOption("threads", "N", "At most so many threads parse at one time (default 1).", 256,
                        value => options.Threads = (int)value),
            new("io", "WAY", IoHelp, value => CommandLine.TakeChoice(value, s_ioNames, way => options.Io = (IoWay)way),
                Limits: ", one of inline, blocking, async"),
            BytesOption("max-payload", "A frame with a longer payload is an ERROR (default 16MiB).", 2_000_000_000,
                        value => options.MaxPayloadBytes = (uint)value),
            BytesOption("max-kept", "A connection that keeps more is ended with ERROR (default 256MiB).", long.MaxValue >> 1,
                        value => options.MaxKeptBytes = value),
            CountOption("max-connections", "N", "One more is told ERROR and closed (default 4096).", 1_000_000,
                        value => options.MaxConnections = (int)value),
            DoseOption(value => options.DosePpm = value),
        ];
        AddKernelOption(list, contestant.KernelsHelp, kernel => options.Kernel = kernel);
        CommandLine line = new(
            name, "answers batches over TCP until SIGTERM, as docs/PROTOCOL.md says.", list,
            "Prints 'listening HOST:PORT' when it is ready.\n" +
            "Exit codes: 0 after SIGTERM, 1 it cannot listen or start, 2 wrong usage.\n",
            $"  {name} --mode keep\n  {name} --listen 127.0.0.1:7000 --mode totals --threads 2\n  {name} --io blocking\n");
        return line.Read(words) ? ServeCommand.Run(name, options, contestant) : ExitCode.Ok;
    }

    private static int Parse<TParser, TPlace>(string name, ReadOnlySpan<string> words, Contestant<TParser, TPlace> contestant)
        where TParser : struct, IBatchParser<TPlace>
        where TPlace : KeptPlace
    {
        ParseOptions options = new();
        List<Option> list =
        [
            new("data", "DATASET", "The dataset's path without '.batches'; must be told.",
                value => { options.Data = value; return true; }),
            ModeOption(mode => options.Mode = mode),
            CountOption("repeat", "N", "Passes over the dataset (default 1; with --step: until standard input ends).",
                        long.MaxValue, value => options.Repeat = value),
            new("step", null, "Wait for a line on standard input before each pass; end when that ends.", null,
                () => options.IsStepping = true),
            BytesOption("max-kept", "Keeping more is an error (default 256MiB).", long.MaxValue >> 1,
                        value => options.MaxKeptBytes = value),
            new("io", "WAY", "Taken for the sake of variants; of no effect, for there are no sockets.",
                value => CommandLine.TakeChoice(value, s_ioNames, _ => { }), Limits: ", one of inline, blocking, async"),
            DoseOption(value => options.DosePpm = value),
        ];
        AddKernelOption(list, contestant.KernelsHelp, kernel => options.Kernel = kernel);
        CommandLine line = new(
            name, "does the work of every batch of a dataset in memory, pass by pass.", list,
            "Prints one JSON line a pass: records, bytes, ns, digest.\n" +
            "Exit codes: 0 ok, 1 the dataset cannot be used or memory is short, 2 wrong usage.\n",
            $"  {name} --data DATASET --repeat 20\n" +
            $"  {name} --data DATASET --mode totals --step   (then press return for each pass)\n");
        if (!line.Read(words))
        {
            return ExitCode.Ok;
        }
        if (options.Data is null)
        {
            throw new UsageException($"--data DATASET is missing (see {name} --help)");
        }
        return ParseCommand.Run(options, contestant);
    }

    private static Option ModeOption(Action<Mode> set) =>
        new("mode", "MODE", "What is done with a batch (default keep). One of: drain totals keep fresh.",
            value => CommandLine.TakeChoice(value, ModeNames.All, mode => set((Mode)mode)),
            Limits: ", one of drain, totals, keep, fresh");

    private static Option CountOption(string name, string argument, string help, long max, Action<long> set) =>
        new(name, argument, help, value => CommandLine.TakeCount(value, 1, max, set),
            Limits: max == long.MaxValue ? ", at least 1" : $", 1 to {max}");

    private static Option DoseOption(Action<int> set) =>
        new("dose-ppm", "N", Dose.Help, value => CommandLine.TakeCount(value, 0, Dose.MaxPpm, ppm => set((int)ppm)),
            Limits: $", 0 to {Dose.MaxPpm}");

    private static Option BytesOption(string name, string help, long max, Action<long> set) =>
        new(name, "BYTES", help, value => CommandLine.TakeBytes(value, max, set), Limits: ", at least 1");

    private static void AddKernelOption(List<Option> list, string? kernelsHelp, Action<string> set)
    {
        if (kernelsHelp is not null)
        {
            list.Add(new("kernel", "NAME",
                         $"The parser's variant (default: the best that this machine runs): {kernelsHelp}.",
                         value => { set(value); return true; }));
        }
    }

    // A figure of a build without optimisation says nothing about the language.
    internal static void RefuseDebugBuild()
    {
        Assembly?[] assemblies = [Assembly.GetEntryAssembly(), typeof(ContestantMain).Assembly];
        if (assemblies.Any(one => one?.GetCustomAttribute<DebuggableAttribute>()?.IsJITOptimizerDisabled == true))
        {
            throw new EnvironmentException("this is a Debug build, which is not timed; build it with -c Release");
        }
    }

    private static string Help(string name) =>
        $"""
        {name} (C#): a contestant of matchrace

        Usage: {name} serve [OPTIONS]   answers batches over TCP
               {name} parse [OPTIONS]   the same work on a dataset in memory, no sockets

        Examples:
          {name} serve --listen 127.0.0.1:0 --mode keep --threads 1
          {name} parse --data DATASET --mode keep --repeat 50
          {name} serve --help

        """;
}
