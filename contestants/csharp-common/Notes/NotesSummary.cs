using System;
using System.Globalization;
using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;
using System.Text;

namespace MatchRace.Common;

/// <summary>The last line of `notes`: who ran, how, and what it took; the keys of lib/inproc/notes_summary.</summary>
internal static class NotesSummary
{
    public static string Make(NotesOptions options, NotesContestant contestant, Steadiness seen, OwnMemory memory, long allocated)
    {
        Assembly own = Assembly.GetEntryAssembly() ?? typeof(NotesSummary).Assembly;
        StringBuilder text = new("{", 4096);
        JsonText.AddMember(text, "contestant", contestant.Name);
        JsonText.AddMember(text, "version", WelcomeText.VersionOf(own));
        JsonText.AddMember(text, "language", "C#");
        JsonText.AddMember(text, "runtime",
                           $"{RuntimeInformation.FrameworkDescription} {RuntimeInformation.RuntimeIdentifier}");
        JsonText.AddMember(text, "kernel", "");
        JsonText.AddMember(text, "build_flags", WelcomeText.BuildFlags(own));
        WelcomeText.AddLibraries(text, [own, typeof(NotesSummary).Assembly, typeof(object).Assembly, .. contestant.Assemblies], []);
        JsonText.AddMember(text, "form", NotesMain.NameOf(options.Form));
        JsonText.AddMember(text, "corpus", NotesMain.CorpusOf(options));
        JsonText.AddMember(text, "escape", contestant.Profile);
        Add(text, $"\"count\":{options.Count},\"seed\":{options.Seed},\"iterations\":{seen.Iterations},");
        AddTimes(text, options, seen);
        AddMemory(text, memory, allocated);
        return text.ToString();
    }

    private static void AddTimes(StringBuilder text, NotesOptions options, Steadiness seen)
    {
        if (seen.Iterations >= Steadiness.IterationsMin)
        {
            Add(text, $"\"first_ns\":{seen.FirstNs},\"ten_ns\":{seen.FirstTenNs / Steadiness.IterationsMin},");
        }
        else
        {
            _ = text.Append("\"first_ns\":null,\"ten_ns\":null,");
        }
        // Whether it is warm is the caller's to say where the caller says how often.
        if (options.IsStepping || options.Repeat is not null || seen.MedianNs == 0)
        {
            _ = text.Append("\"steady_ns\":null,\"unsteady\":null,");
        }
        else
        {
            Add(text, $"\"steady_ns\":{seen.MedianNs:F0},\"unsteady\":{(seen.IsSteady ? "false" : "true")},");
        }
    }

    private static void AddMemory(StringBuilder text, OwnMemory memory, long allocated)
    {
        (long minor, long major) = OwnMemory.Faults();
        Add(text, $"\"data_peak_rss_bytes\":{memory.PeakRssBytesWhenMade},\"peak_rss_bytes\":{OwnMemory.PeakRssBytes()},");
        Add(text, $"\"allocated_bytes_per_iteration\":{allocated},\"minor_faults\":{minor},\"major_faults\":{major},");
        Add(text, $"\"gc_collections\":[{GC.CollectionCount(0)},{GC.CollectionCount(1)},{GC.CollectionCount(2)}],");
        Add(text, $"\"gc_pause_ns\":{(long)GC.GetTotalPauseDuration().TotalNanoseconds},");
        Add(text, $"\"gc_mode\":\"{(GCSettings.IsServerGC ? "server" : "workstation")}\",");
        Add(text, $"\"compiled_methods\":{JitInfo.GetCompiledMethodCount()}}}\n");
    }

    private static void Add(StringBuilder text, FormattableString members) =>
        _ = text.Append(members.ToString(CultureInfo.InvariantCulture));
}
