using System;
using System.Globalization;

namespace MatchRace.Common;

/// <summary>
/// The runtime's environment variables for sockets. It reads them through managed code when the first socket needs its
/// event loop, so a program may set them for itself before that; what a variable says stays visible in WELCOME.
/// </summary>
internal static class SocketKnobs
{
    private const string Inline = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";
    private const string Engines = "DOTNET_SYSTEM_NET_SOCKETS_THREAD_COUNT";

    public static void Set(ServeOptions options)
    {
        switch (options.Io)
        {
            case IoWay.Inline:
                // Whoever waits for events also parses: one thread for each that may parse.
                Environment.SetEnvironmentVariable(Inline, "1");
                Environment.SetEnvironmentVariable(Engines, options.Threads.ToString(CultureInfo.InvariantCulture));
                break;
            default:
                Environment.SetEnvironmentVariable(Inline, null);
                break;
        }
    }
}
