using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Common;

/// <summary>What was set, and what the runtime made of it: the knobs of WELCOME.</summary>
internal static class RuntimeKnobs
{
    public static IEnumerable<(string Name, string Value)> All(ServeOptions options)
    {
        List<(string, string)> knobs =
        [
            ("io", options.Io switch { IoWay.Inline => "inline", IoWay.Blocking => "blocking", _ => "async" }),
            ("gc", GCSettings.IsServerGC ? "server" : "workstation"),
            ("gc_concurrent", IsOn("System.GC.Concurrent", "DOTNET_gcConcurrent")),
            ("gc_latency_mode", GCSettings.LatencyMode.ToString()),
            ("tiered_compilation", OfJit("System.Runtime.TieredCompilation", "DOTNET_TieredCompilation")),
            ("tiered_pgo", OfJit("System.Runtime.TieredPGO", "DOTNET_TieredPGO")),
            ("ready_to_run_used", OfJit("System.Runtime.ReadyToRun", "DOTNET_ReadyToRun")),
            ("processor_count", Environment.ProcessorCount.ToString(CultureInfo.InvariantCulture)),
            ("vector512", Vector512.IsHardwareAccelerated ? "accelerated" : "no"),
            ("vector256", Vector256.IsHardwareAccelerated ? "accelerated" : "no"),
            ("avx512_vbmi2", Avx512Vbmi2.IsSupported ? "supported" : "no"),
        ];
        if (options.DosePpm > 0)
        {
            knobs.Add(("dose_ppm", options.DosePpm.ToString(CultureInfo.InvariantCulture)));
        }
        foreach ((string name, object value) in GC.GetConfigurationVariables())
        {
            knobs.Add(($"gc.{name}", Convert.ToString(value, CultureInfo.InvariantCulture) ?? ""));
        }
        IEnumerable<DictionaryEntry> variables = Environment.GetEnvironmentVariables().Cast<DictionaryEntry>();
        foreach (DictionaryEntry variable in variables.OrderBy(one => (string)one.Key, StringComparer.Ordinal))
        {
            string name = (string)variable.Key;
            if (name.StartsWith("DOTNET_", StringComparison.Ordinal) || name.StartsWith("COMPlus_", StringComparison.Ordinal))
            {
                knobs.Add((name, (string?)variable.Value ?? ""));
            }
        }
        return knobs;
    }

    private static string OfJit(string setting, string variable) =>
        RuntimeFeature.IsDynamicCodeCompiled ? IsOn(setting, variable) : "no JIT";

    // The runtime does not tell what it made of these: the environment comes first, then runtimeconfig.json, then on.
    private static string IsOn(string setting, string variable)
    {
        string? word = Environment.GetEnvironmentVariable(variable);
        if (word is not null)
        {
            return word is "0" ? "off (environment)" : "on (environment)";
        }
        return AppContext.GetData(setting) switch
        {
            bool isOn => isOn ? "on (runtimeconfig)" : "off (runtimeconfig)",
            string text => bool.TryParse(text, out bool isOn) && !isOn ? "off (runtimeconfig)" : "on (runtimeconfig)",
            _ => "on (default)",
        };
    }
}
