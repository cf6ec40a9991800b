using System;

namespace MatchRace.Common;

internal enum FrameEvent
{
    /// <summary>Nothing more without receiving.</summary>
    More,

    /// <summary>A header is there; its payload was not looked at.</summary>
    Head,

    /// <summary>A payload is there, valid until the next call.</summary>
    Frame,
}

/// <summary>
/// Frames out of a stream of bytes. What was received is a run in a buffer that connections share (or the connection's
/// own); whole frames are parsed where they stand, and only a frame that is cut off moves to memory of its connection, which
/// then receives the rest straight into place. The twin of lib/serve/receive.c.
/// </summary>
internal sealed class FrameReader(IdleBuffers idle)
{
    // A missing part at least so large is received by a call of its own, straight into place.
    private const int DirectBytes = 4096;

    // What was needed for a payload beyond this size goes back with the next smaller one, or when input stays away.
    private const int OwnKeptBytes = 1 << 20;

    private static readonly PaddedBuffer s_nothing = new(0);

    private readonly byte[] _headBytes = new byte[Wire.HeadBytes];
    private byte[] _run = [];
    private int _runStart;
    private int _runBytes;
    private int _headCount;
    private bool _inPayload;
    private PaddedBuffer? _own;
    private int _ownBytes;
    private bool _runIsHeld;
    private bool _isParked;

    /// <summary>Of the frame that is being received, from <see cref="FrameEvent.Head"/> on.</summary>
    public FrameHead Head;

    /// <summary>Where the payload stands, after <see cref="FrameEvent.Frame"/>.</summary>
    public byte[] PayloadMemory { get; private set; } = [];

    public int PayloadStart { get; private set; }

    /// <summary>Whether input waits that needs no receiving.</summary>
    public bool HasRun => _runBytes > 0;

    /// <summary>What arrived at once last time.</summary>
    public int LastReceivedBytes { get; private set; }

    /// <summary>Where the next bytes belong: the rest of a payload that is cut off, else the shared buffer.</summary>
    public Memory<byte> Target(PaddedBuffer shared)
    {
        int missing = MissingDirectly();
        return missing > 0 ? _own!.Memory.AsMemory(PaddedBuffer.Start + _ownBytes, missing)
                           : shared.Memory.AsMemory(PaddedBuffer.Start, shared.CapacityBytes);
    }

    /// <summary>Says that <paramref name="bytes"/> arrived in what <see cref="Target"/> gave.</summary>
    public void Received(PaddedBuffer shared, int bytes)
    {
        LastReceivedBytes = bytes;
        if (MissingDirectly() > 0)
        {
            _ownBytes += bytes;
            return;
        }
        _run = shared.Memory;
        _runStart = PaddedBuffer.Start;
        _runBytes = bytes;
        _runIsHeld = false;
    }

    public FrameEvent Next() => _inPayload ? NextPayload() : NextHead();

    /// <summary>Puts what waits aside, so that the shared buffer can serve another connection.</summary>
    public void Hold()
    {
        if (_runBytes == 0 || _runIsHeld)
        {
            return;
        }
        PaddedBuffer held = new(_runBytes);
        _run.AsSpan(_runStart, _runBytes).CopyTo(held.Memory.AsSpan(PaddedBuffer.Start));
        _run = held.Memory;
        _runStart = PaddedBuffer.Start;
        _runIsHeld = true;
    }

    /// <summary>To be called before waiting for input, and <see cref="Unpark"/> before anything else behind it.</summary>
    public void Park()
    {
        if (_ownBytes == 0 && _own?.CapacityBytes > OwnKeptBytes)
        {
            idle.Park(this, _own);
            _own = null;
            PayloadMemory = [];
            _isParked = true;
        }
    }

    public void Unpark()
    {
        if (_isParked)
        {
            _own = idle.Take(this);
            _isParked = false;
        }
    }

    private int MissingDirectly()
    {
        if (!_inPayload || _ownBytes == 0)
        {
            return 0;
        }
        int missing = (int)Head.PayloadBytes - _ownBytes;
        return missing >= DirectBytes ? missing : 0;
    }

    private FrameEvent NextHead()
    {
        int missing = Wire.HeadBytes - _headCount;
        if (_headCount == 0 && _runBytes >= Wire.HeadBytes)
        {
            Head = FrameHead.Read(_run.AsSpan(_runStart, Wire.HeadBytes));
            Take(Wire.HeadBytes);
        }
        else
        {
            int some = Math.Min(missing, _runBytes);
            _run.AsSpan(_runStart, some).CopyTo(_headBytes.AsSpan(_headCount));
            Take(some);
            _headCount += some;
            if (_headCount < Wire.HeadBytes)
            {
                return NeedMore();
            }
            Head = FrameHead.Read(_headBytes);
            _headCount = 0;
        }
        _ownBytes = 0;
        _inPayload = true;
        return FrameEvent.Head;
    }

    private FrameEvent NextPayload()
    {
        int payloadBytes = (int)Head.PayloadBytes;
        if (_ownBytes == 0 && _runBytes >= payloadBytes)
        {
            // An empty one may come when no run is there, and has its padding like any other.
            PayloadMemory = payloadBytes == 0 ? s_nothing.Memory : _run;
            PayloadStart = payloadBytes == 0 ? PaddedBuffer.Start : _runStart;
            Take(payloadBytes);
            _inPayload = false;
            return FrameEvent.Frame;
        }
        if (_runBytes > 0)
        {
            Gather(payloadBytes);
        }
        if (_ownBytes < payloadBytes)
        {
            return NeedMore();
        }
        PayloadMemory = _own!.Memory;
        PayloadStart = PaddedBuffer.Start;
        _ownBytes = 0;
        _inPayload = false;
        return FrameEvent.Frame;
    }

    // Appends what is there of the payload to the connection's own memory.
    private void Gather(int payloadBytes)
    {
        bool isTooLarge = _ownBytes == 0 && _own?.CapacityBytes > OwnKeptBytes && payloadBytes <= OwnKeptBytes;
        if (_own is null || _own.CapacityBytes < payloadBytes || isTooLarge)
        {
            // Nothing is in the old one, for a payload's first bytes make room for all of it.
            _own = new PaddedBuffer(payloadBytes);
        }
        int some = Math.Min(payloadBytes - _ownBytes, _runBytes);
        _run.AsSpan(_runStart, some).CopyTo(_own.Memory.AsSpan(PaddedBuffer.Start + _ownBytes));
        Take(some);
        _ownBytes += some;
    }

    private void Take(int bytes)
    {
        _runStart += bytes;
        _runBytes -= bytes;
    }

    private FrameEvent NeedMore()
    {
        _run = [];
        _runStart = 0;
        _runIsHeld = false;
        return FrameEvent.More;
    }
}
