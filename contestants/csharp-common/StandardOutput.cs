using System;
using System.IO;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace MatchRace.Common;

/// <summary>Standard output as it is: the Console's own stream says nothing when nobody reads any more.</summary>
internal static class StandardOutput
{
    private static readonly Stream s_stream = Open();

    // In a file, a FileStream writes at places that it counts itself, over what others wrote who share that output; there
    // the Console's stream tells every failure.
    private static Stream Open()
    {
        FileStream stream = new(new SafeFileHandle(1, ownsHandle: false), FileAccess.Write, bufferSize: 0);
        return stream.CanSeek ? Console.OpenStandardOutput() : stream;
    }

    /// <exception cref="EnvironmentException">It can't be written to.</exception>
    public static void Write(string text)
    {
        try
        {
            s_stream.Write(Encoding.UTF8.GetBytes(text));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new EnvironmentException($"cannot write to standard output: {e.Message}");
        }
    }
}
