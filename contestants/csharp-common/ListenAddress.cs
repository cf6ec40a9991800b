using System.Globalization;
using System.Linq;
using System.Net;
using System.Net.Sockets;

namespace MatchRace.Common;

/// <summary>--listen HOST:PORT or [HOST]:PORT.</summary>
internal static class ListenAddress
{
    /// <exception cref="UsageException">It is no such thing.</exception>
    /// <exception cref="EnvironmentException">There is no such host.</exception>
    public static IPEndPoint Resolve(string words)
    {
        int colon = words.LastIndexOf(':');
        string host = colon < 0 ? "" : words[..colon];
        string digits = words[(colon + 1)..];
        bool isBracketed = host.Length >= 2 && host[0] == '[' && host[^1] == ']';
        bool isPort = ushort.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out ushort port);
        if (colon < 0 || host.Length == 0 || !isPort || (!isBracketed && host.Contains(':')))
        {
            throw new UsageException($"--listen takes HOST:PORT or [HOST]:PORT, not '{words}'");
        }
        host = isBracketed ? host[1..^1] : host;
        if (IPAddress.TryParse(host, out IPAddress? address))
        {
            return new IPEndPoint(address, port);
        }
        try
        {
            return new IPEndPoint(Dns.GetHostAddresses(host).First(), port);
        }
        catch (SocketException e)
        {
            throw new EnvironmentException($"cannot listen on {words}: {e.Message}");
        }
    }
}
