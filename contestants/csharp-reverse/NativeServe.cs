using System.Runtime.InteropServices;
using System.Text;
using MatchRace.Tuned;

namespace MatchRace.Reverse;

// mr_serve_main() of serve.h, with this process's parser in its table. Everything here lives as long as the process.
internal static unsafe partial class NativeServe
{
    public static int Run(string[] args)
    {
        NativeContestant contestant = new()
        {
            Name = Text("csharp-reverse"),
            Version = Text("0.1.0"),
            Language = Text("C#"),
            BuildFlags = Text($"{RuntimeInformation.FrameworkDescription}; server: libmatchrace_serve.so"),
            KernelsHelp = Text(string.Join(", ", Kernels.Names)),
            Create = &ParserFunctions.Create,
            Destroy = &ParserFunctions.Destroy,
            Parse = &ParserFunctions.Parse,
            Kernel = &ParserFunctions.Kernel,
            Libraries = &ParserFunctions.Libraries,
        };
        byte** words = (byte**)NativeMemory.AllocZeroed((nuint)args.Length + 2, (nuint)sizeof(byte*));
        words[0] = contestant.Name;
        for (int i = 0; i < args.Length; i++)
        {
            words[i + 1] = Text(args[i]);
        }
        return ServeMain(args.Length + 1, words, &contestant);
    }

    // UTF-8 with a zero behind it, for good.
    public static byte* Text(string text)
    {
        int bytes = Encoding.UTF8.GetByteCount(text);
        byte* native = (byte*)NativeMemory.Alloc((nuint)bytes + 1);
        Encoding.UTF8.GetBytes(text, new System.Span<byte>(native, bytes));
        native[bytes] = 0;
        return native;
    }

    [LibraryImport("matchrace_serve", EntryPoint = "mr_serve_main")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.AssemblyDirectory | DllImportSearchPath.SafeDirectories)]
    private static partial int ServeMain(int argc, byte** argv, NativeContestant* contestant);
}
