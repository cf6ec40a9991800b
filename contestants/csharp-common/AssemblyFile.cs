using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Reflection;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;

namespace MatchRace.Common;

/// <summary>What an assembly's file tells.</summary>
internal static class AssemblyFile
{
    /// <summary>Where it was loaded from, or null where it is part of the program's own file.</summary>
    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "Empty in a single file, which is answered by null.")]
    public static string? PathOf(Assembly assembly) => assembly.Location.Length == 0 ? null : assembly.Location;

    /// <summary>How its code comes to be machine code: NativeAOT, ReadyToRun or JIT.</summary>
    public static string CodeOf(Assembly assembly)
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled)
        {
            return "NativeAOT";
        }
        if (PathOf(assembly) is not string path)
        {
            return "single file";
        }
        using PEReader reader = new(File.OpenRead(path));
        bool isReadyToRun = reader.PEHeaders.CorHeader?.ManagedNativeHeaderDirectory.Size > 0;
        return isReadyToRun ? "ReadyToRun" : "JIT";
    }
}
