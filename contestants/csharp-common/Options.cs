namespace MatchRace.Common;

/// <summary>How sockets are waited for.</summary>
internal enum IoWay
{
    /// <summary>Asynchronous, continued on the thread that waits for events: no hop to the thread pool.</summary>
    Inline,

    /// <summary>A thread for each connection, blocking calls.</summary>
    Blocking,

    /// <summary>Asynchronous as it is by default: continued on the thread pool.</summary>
    Async,
}

internal sealed class ServeOptions
{
    public string Listen = "127.0.0.1:0";
    public Mode Mode = Mode.Keep;
    public IoWay Io = IoWay.Inline;
    public string? Kernel;
    public int Threads = 1;
    public uint MaxPayloadBytes = Wire.MaxPayloadBytesDefault;
    public long MaxKeptBytes = Wire.MaxKeptBytesDefault;
    public int MaxConnections = Wire.MaxConnectionsDefault;
    public int DosePpm;
}

internal sealed class ParseOptions
{
    public string? Data;
    public Mode Mode = Mode.Keep;
    public string? Kernel;
    public long? Repeat;
    public bool IsStepping;
    public int DosePpm;
    public long MaxKeptBytes = Wire.MaxKeptBytesDefault;
}
