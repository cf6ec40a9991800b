using System;
using System.IO;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace MatchRace.Common;

/// <summary>Standard output as it is: the Console's own stream says nothing when nobody reads any more.</summary>
internal static class StandardOutput
{
    private static readonly FileStream s_stream = new(new SafeFileHandle(1, ownsHandle: false), FileAccess.Write, bufferSize: 0);

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
