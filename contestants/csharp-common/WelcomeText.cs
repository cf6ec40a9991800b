using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net.Sockets;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace MatchRace.Common;

/// <summary>The payload of WELCOME: what really runs, found out when it is asked for.</summary>
internal static class WelcomeText
{
    public static byte[] Make<TParser, TPlace>(Contestant<TParser, TPlace> contestant, string? kernel, ServeOptions options)
        where TParser : struct, IBatchParser<TPlace>
        where TPlace : KeptPlace
    {
        Assembly own = typeof(TParser).Assembly;
        StringBuilder text = new("{", 4096);
        JsonText.AddMember(text, "contestant", contestant.Name);
        JsonText.AddMember(text, "version", VersionOf(own));
        JsonText.AddMember(text, "language", contestant.Language);
        JsonText.AddMember(text, "runtime",
                           $"{RuntimeInformation.FrameworkDescription} {RuntimeInformation.RuntimeIdentifier}");
        JsonText.AddMember(text, "mode", ModeNames.Of(options.Mode));
        _ = text.Append(CultureInfo.InvariantCulture, $"\"threads\":{options.Threads},\"pid\":{Environment.ProcessId},");
        JsonText.AddMember(text, "kernel", kernel);
        JsonText.AddMember(text, "build_flags", BuildFlags(own));
        AddLibraries(text, [own, typeof(WelcomeText).Assembly, typeof(object).Assembly, typeof(Socket).Assembly,
                            .. contestant.Assemblies], contestant.NativeLibraries());
        _ = text.Append("\"knobs\":{");
        foreach ((string name, string value) in RuntimeKnobs.All(options))
        {
            JsonText.AddMember(text, name, value);
        }
        text.Length--;
        return Encoding.UTF8.GetBytes(text.Append("}}").ToString());
    }

    public static void AddLibraries(StringBuilder text, IEnumerable<Assembly> assemblies, IEnumerable<Library> native)
    {
        _ = text.Append("\"libraries\":[");
        foreach (Library library in assemblies.Distinct().Select(Describe).Concat(native))
        {
            _ = text.Append('{');
            JsonText.AddMember(text, "name", library.Name);
            JsonText.AddMember(text, "version", library.Version);
            JsonText.AddMember(text, "path", library.Path);
            text.Length--;
            _ = text.Append("},");
        }
        text.Length--;
        _ = text.Append("],");
    }

    // Linked into one file, an assembly has no place of its own.
    private static Library Describe(Assembly assembly)
    {
        string path = AssemblyFile.PathOf(assembly) ?? "static";
        return new Library(assembly.GetName().Name ?? "", VersionOf(assembly), path);
    }

    // Without the revision that some builds put behind a plus.
    public static string VersionOf(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ??
        assembly.GetName().Version?.ToString() ?? "";

    public static string BuildFlags(Assembly assembly)
    {
        string? framework = assembly.GetCustomAttribute<TargetFrameworkAttribute>()?.FrameworkName;
        string? configuration = assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration;
        return $"{framework} {configuration} {AssemblyFile.CodeOf(assembly)}";
    }
}
