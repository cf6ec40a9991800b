using System;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace MatchRace.Common;

/// <summary>
/// The replies of one connection in their order. They are handed to the kernel by one call where it takes them whole; what it
/// doesn't take is sent behind the reader's back, so that reading goes on until <see cref="Wire.UnsentBytesLimit"/>.
/// </summary>
internal sealed class Replies(Socket socket, bool isBlocking)
{
    private const int CapacityMinBytes = 1024;
    private const int SliceBytes = 256 << 10;

    // What a slow reader made necessary goes back when it has read.
    private const int KeptBytes = 64 << 10;

    private readonly Lock _lock = new();
    private byte[] _queue = [];
    private int _first;
    private int _end;
    private int _sendingBytes; // of what SendRestAsync has taken over
    private bool _isSending;
    private bool _hasFailed;
    private int _waitLimitBytes;
    private TaskCompletionSource? _waiting;

    /// <summary>The peer is gone: nothing can be sent any more.</summary>
    public bool HasFailed => Volatile.Read(ref _hasFailed);

    /// <summary>Whether the connection may not be read now.</summary>
    public bool IsClogged => Volatile.Read(ref _sendingBytes) + (_end - _first) > Wire.UnsentBytesLimit;

    /// <summary>Sends what can be sent without waiting. False: the connection still may not be read.</summary>
    public bool TryUnclog()
    {
        if (isBlocking)
        {
            return false; // a worker is held, which others wait for
        }
        Flush();
        return !IsClogged;
    }

    /// <summary>Adds a reply; it goes out with the next <see cref="Flush"/>.</summary>
    public void Add(byte type, ulong sequence, ReadOnlySpan<byte> payload)
    {
        lock (_lock)
        {
            MakeRoom(Wire.HeadBytes + payload.Length);
            Span<byte> room = _queue.AsSpan(_end);
            new FrameHead
            {
                PayloadBytes = (uint)payload.Length,
                Type = type,
                Version = Wire.Version,
                Sequence = sequence,
            }.Write(room);
            payload.CopyTo(room[Wire.HeadBytes..]);
            _end += Wire.HeadBytes + payload.Length;
        }
    }

    /// <summary>Hands what waits to the kernel. In the blocking way returns when all is sent.</summary>
    public void Flush()
    {
        lock (_lock)
        {
            if (_isSending || _hasFailed)
            {
                return;
            }
            if (!TrySendNow())
            {
                _isSending = true;
                _ = SendRestAsync(TakeQueue());
            }
        }
    }

    /// <summary>Completes when at most <paramref name="limitBytes"/> are unsent, or sending has failed.</summary>
    public Task UnsentAtMostAsync(int limitBytes)
    {
        lock (_lock)
        {
            if (_hasFailed || _sendingBytes + (_end - _first) <= limitBytes)
            {
                return Task.CompletedTask;
            }
            _waitLimitBytes = limitBytes;
            _waiting = new TaskCompletionSource();
            return _waiting.Task;
        }
    }

    // False: the kernel's buffer is full.
    private bool TrySendNow()
    {
        while (_first < _end)
        {
            int sent = socket.Send(_queue.AsSpan(_first, _end - _first), SocketFlags.None, out SocketError error);
            if (error == SocketError.WouldBlock && !isBlocking)
            {
                return false;
            }
            if (error == SocketError.Interrupted)
            {
                continue;
            }
            if (error != SocketError.Success)
            {
                _hasFailed = true;
                return true;
            }
            _first += sent;
        }
        if (_queue.Length > KeptBytes)
        {
            _queue = [];
        }
        _first = 0;
        _end = 0;
        return true;
    }

    private ArraySegment<byte> TakeQueue()
    {
        ArraySegment<byte> taken = new(_queue, _first, _end - _first);
        _sendingBytes = taken.Count;
        _queue = [];
        _first = 0;
        _end = 0;
        return taken;
    }

    private async Task SendRestAsync(ArraySegment<byte> segment)
    {
        bool isMore = true;
        while (isMore)
        {
            bool failed = false;
            int slice = Math.Min(segment.Count, SliceBytes);
            try
            {
                _ = await socket.SendAsync(segment[..slice], SocketFlags.None).ConfigureAwait(false);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                failed = true;
            }
            TaskCompletionSource? ready = null;
            lock (_lock)
            {
                segment = segment[slice..];
                _sendingBytes = segment.Count;
                _hasFailed |= failed;
                if (segment.Count == 0 && _first < _end)
                {
                    segment = TakeQueue();
                }
                isMore = !failed && segment.Count > 0;
                _isSending = isMore;
                if (_waiting is not null && (failed || _sendingBytes + (_end - _first) <= _waitLimitBytes))
                {
                    ready = _waiting;
                    _waiting = null;
                }
            }
            // Outside of the lock: what waits goes on in this call.
            ready?.SetResult();
        }
    }

    // By moving what is unsent to the front where that suffices, otherwise by growing to a power of two.
    private void MakeRoom(int moreBytes)
    {
        if (_queue.Length - _end >= moreBytes)
        {
            return;
        }
        int unsent = _end - _first;
        int capacity = Math.Max(_queue.Length, CapacityMinBytes);
        while (capacity < unsent + moreBytes)
        {
            capacity = checked(capacity * 2);
        }
        byte[] queue = capacity > _queue.Length ? new byte[capacity] : _queue;
        _queue.AsSpan(_first, unsent).CopyTo(queue);
        _queue = queue;
        _first = 0;
        _end = unsent;
    }
}
