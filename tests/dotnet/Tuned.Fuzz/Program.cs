// Program.cs: C# kernels against C's specification on batches changed by chance, for as long as one likes.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using MatchRace.Tuned.Support;

namespace MatchRace.Tuned.Fuzz;

internal static class Program
{
    private const string Usage =
        """
        usage: Tuned.Fuzz [--executions N] [--seconds S] [--seed N] [--kernel NAME] [--corpus FOLDER]... [--save FOLDER]

        Changes the batches of tests/cases (and of the files of each FOLDER) by chance, as their grammar has it, and
        gives each to C's specification and to the kernels in C#: verdict, error with record and offset, records,
        digest and totals must be the same; text and records stand between forbidden pages, and every 64th goes to an
        oracle too. Without a bound: 1000000 executions. The same seed gives the same batches.

        A difference is printed, and its text is written to --save (default: the current folder).
        Exit codes: 0 no difference; 1 C's part is missing, or a file cannot be read; 2 wrong usage; 3 a difference.

        Example: dotnet run -c Release --project tests/dotnet/Tuned.Fuzz -- --executions 10000000 --seed 7
        """;

    private const ulong DefaultExecutions = 1000000;
    private const ulong ReportEvery = 1000000;

    private sealed class Options
    {
        public ulong? Executions;
        public double? Seconds;
        public ulong Seed = 1;
        public string? Kernel;
        public List<string> Corpora = [];
        public string Save = ".";
    }

    private static int Main(string[] args)
    {
        if (Array.Exists(args, arg => arg is "--help" or "-h"))
        {
            Console.WriteLine(Usage);
            return 0;
        }
        if (!TryParse(args, out Options options))
        {
            Console.Error.WriteLine(Usage);
            return 2;
        }
        try
        {
            Foreign.Load(options.Kernel);
            using Mutations mutations = new(options.Seed, options.Corpora);
            return Run(mutations, options);
        }
        catch (ArgumentException error)
        {
            Console.Error.WriteLine(error.Message);
            return 2;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }

    private static bool TryParse(string[] args, out Options options)
    {
        options = new Options();
        for (int i = 0; i + 1 < args.Length; i += 2)
        {
            string value = args[i + 1];
            bool right = true;
            switch (args[i])
            {
                case "--executions":
                    right = ulong.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out ulong executions);
                    options.Executions = executions;
                    break;
                case "--seconds":
                    right = double.TryParse(value, CultureInfo.InvariantCulture, out double seconds) && seconds > 0;
                    options.Seconds = seconds;
                    break;
                case "--seed":
                    right = ulong.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out options.Seed);
                    break;
                case "--kernel":
                    options.Kernel = value;
                    break;
                case "--corpus":
                    options.Corpora.Add(value);
                    break;
                case "--save":
                    options.Save = value;
                    break;
                default:
                    right = false;
                    break;
            }
            if (!right)
            {
                return false;
            }
        }
        return args.Length % 2 == 0;
    }

    private static int Run(Mutations mutations, Options options)
    {
        ulong executions = options.Executions ?? (options.Seconds == null ? DefaultExecutions : ulong.MaxValue);
        double seconds = options.Seconds ?? double.PositiveInfinity;
        Console.WriteLine($"kernels {string.Join(", ", Foreign.KernelNames)}; {mutations.Seeds} seeds; seed {options.Seed}");
        Stopwatch watch = Stopwatch.StartNew();
        while (mutations.Executions < executions && watch.Elapsed.TotalSeconds < seconds)
        {
            ulong part = Math.Min(ReportEvery, executions - mutations.Executions);
            Difference? difference = mutations.Run(part, seconds - watch.Elapsed.TotalSeconds);
            if (difference != null)
            {
                return Report(difference, options);
            }
            Console.WriteLine($"{mutations.Executions} executions without a difference, {watch.Elapsed.TotalSeconds:F0} s");
        }
        return 0;
    }

    private static int Report(Difference difference, Options options)
    {
        string path = Path.Combine(options.Save, $"tuned-fuzz-{options.Seed}-{difference.Execution}.json");
        File.WriteAllBytes(path, difference.Text);
        Console.WriteLine($"DIFFERENCE at execution {difference.Execution} of seed {options.Seed}: {difference.Complaint}");
        Console.WriteLine($"{difference.Text.Length} bytes in {path}");
        return 3;
    }
}
