// Program.cs: csharp-tuned against the C parser in one process, batch by batch in turn; see Usage.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime;
using System.Runtime.InteropServices;

using MatchRace.Tuned;

namespace Tuned.Speed;

internal static unsafe class Program
{
    private const string Usage =
        "usage: Tuned.Speed --data DATASET [--kernel avx2] [--mode totals|keep] [--warm 8] [--rounds 60] LIBRARY...\n" +
        "LIBRARY: tests/dotnet/parity as a shared object, one for each compiler.\n" +
        "Prints ns a record by the minimum of each batch, and the ratio of C's to C#'s.";

    private static int Main(string[] words)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        Dictionary<string, string> options = new()
        {
            ["--kernel"] = "avx2", ["--mode"] = "totals", ["--warm"] = "8", ["--rounds"] = "60",
        };
        List<string> libraries = [];
        for (int i = 0; i < words.Length; i++)
        {
            if (words[i].StartsWith("--", StringComparison.Ordinal) && i + 1 < words.Length)
            {
                options[words[i]] = words[++i];
            }
            else
            {
                libraries.Add(words[i]);
            }
        }
        if (!options.TryGetValue("--data", out string? data) || libraries.Count == 0)
        {
            Console.Error.WriteLine(Usage);
            return 2;
        }
        using Batches batches = new(data + ".batches", options["--mode"] == "keep");
        List<Runner> runners = [new ManagedRunner(options["--kernel"])];
        runners.AddRange(libraries.Select(path => new NativeRunner(path, options["--kernel"])));
        using Process self = Process.GetCurrentProcess();
        double warmSeconds = double.Parse(options["--warm"]);
        int methods = JitInfo.GetCompiledMethodCount() > int.MaxValue ? 0 : (int)JitInfo.GetCompiledMethodCount();
        while (self.TotalProcessorTime.TotalSeconds < warmSeconds)
        {
            methods = (int)JitInfo.GetCompiledMethodCount();
            self.Refresh();
            _ = batches.Round(runners, 0);
        }
        Print(batches, runners, int.Parse(options["--rounds"]), options, data);
        Console.WriteLine($"# methods compiled while timing: {(int)JitInfo.GetCompiledMethodCount() - methods}");
        return 0;
    }

    private static void Print(
        Batches batches, List<Runner> runners, int rounds, Dictionary<string, string> options, string data)
    {
        long[][] least = [.. runners.Select(_ => Enumerable.Repeat(long.MaxValue, batches.Count).ToArray())];
        List<double>[] ratios = [.. runners.Select(_ => new List<double>())];
        for (int round = 0; round < rounds; round++)
        {
            long[][] times = batches.Round(runners, round);
            for (int r = 0; r < runners.Count; r++)
            {
                for (int b = 0; b < batches.Count; b++)
                {
                    least[r][b] = Math.Min(least[r][b], times[r][b]);
                }
                ratios[r].Add((double)times[r].Sum() / times[0].Sum());
            }
        }
        double scale = 1e9 / Stopwatch.Frequency / batches.Records;
        double own = least[0].Sum() * scale;
        for (int r = 0; r < runners.Count; r++)
        {
            double ns = least[r].Sum() * scale;
            ratios[r].Sort();
            Console.WriteLine($"{Path.GetFileName(data),-8} {options["--mode"],-7} {runners[r].Name,-24} {ns,8:F2} ns a record  C/C# {ns / own:F3} by minima, {ratios[r][rounds / 2]:F3} median of {rounds} rounds");
        }
    }
}
