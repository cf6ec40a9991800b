using System;
using System.Diagnostics;
using System.Net.Sockets;
using System.Threading;

namespace MatchRace.Common;

/// <summary>
/// The way blocking: a thread for each connection. Receiving and sending block in the kernel, so back-pressure begins
/// where the kernel's own buffers end: while a send waits, that connection isn't read.
/// </summary>
internal sealed class BlockingServer<TParser, TPlace>(ServerRoom<TPlace> room, WorkerPool<Worker<TParser, TPlace>> pool, Socket listener)
    where TParser : struct, IBatchParser<TPlace>
    where TPlace : KeptPlace
{
    private const int StackBytes = 512 << 10;
    private const int BufferMinBytes = 16 << 10;
    private const int BufferMaxBytes = 512 << 10;

    private int _connections;

    /// <summary>Accepts until the process ends.</summary>
    public void Run()
    {
        while (true)
        {
            Socket socket;
            try
            {
                socket = listener.Accept();
            }
            catch (SocketException e)
            {
                Thread.Sleep(e.SocketErrorCode == SocketError.TooManyOpenSockets ? 100 : 0);
                continue;
            }
            new Thread(() => Serve(socket), StackBytes) { IsBackground = true, Name = "connection" }.Start();
        }
    }

    private void Serve(Socket socket)
    {
        bool isOver = Interlocked.Increment(ref _connections) > room.Options.MaxConnections;
        if (isOver)
        {
            _ = Interlocked.Decrement(ref _connections);
        }
        Session<TParser, TPlace>? session = null;
        try
        {
            socket.NoDelay = true;
            session = new(room, new Replies(socket, isBlocking: true));
            if (isOver)
            {
                session.Fail(0, $"this server takes at most {room.Options.MaxConnections} connections at one time");
            }
            else
            {
                Converse(socket, session);
            }
            session.Replies.Flush();
            if (session.HasFailed && !session.Replies.HasFailed)
            {
                EndBehindError(socket);
            }
        }
        catch (SocketException)
        {
            // The peer is gone: an end like any other.
        }
        finally
        {
            session?.End();
            socket.Dispose();
            if (!isOver)
            {
                _ = Interlocked.Decrement(ref _connections);
            }
        }
    }

    private void Converse(Socket socket, Session<TParser, TPlace> session)
    {
        PaddedBuffer buffer = new(BufferMinBytes);
        while (!session.HasFailed && !session.Replies.HasFailed)
        {
            if (!session.Reader.HasRun)
            {
                // Where bytes of a payload are missing, nothing is parked, and they are received into place.
                session.Reader.Park();
                int got = socket.Receive(session.Reader.Target(buffer).Span, SocketFlags.None, out SocketError error);
                session.Reader.Unpark();
                if (error == SocketError.Interrupted)
                {
                    continue;
                }
                if (error != SocketError.Success || got == 0)
                {
                    return;
                }
                session.Reader.Received(buffer, got);
            }
            Worker<TParser, TPlace> worker = pool.Rent();
            try
            {
                session.AnswerReceived(worker);
            }
            finally
            {
                pool.Return(worker);
            }
            session.Replies.Flush();
            buffer = Grown(buffer, session.Reader);
        }
    }

    // A connection that fills its buffer gets a larger one.
    private static PaddedBuffer Grown(PaddedBuffer buffer, FrameReader reader) =>
        reader.LastReceivedBytes == buffer.CapacityBytes && buffer.CapacityBytes < BufferMaxBytes && !reader.HasRun
            ? new PaddedBuffer(buffer.CapacityBytes * 2)
            : buffer;

    private static void EndBehindError(Socket socket)
    {
        socket.Shutdown(SocketShutdown.Send);
        byte[] nowhere = new byte[16384];
        long start = Stopwatch.GetTimestamp();
        TimeSpan left = Wire.Linger;
        while (left > TimeSpan.Zero)
        {
            socket.ReceiveTimeout = Math.Max(1, (int)left.TotalMilliseconds);
            int got = socket.Receive(nowhere, 0, nowhere.Length, SocketFlags.None, out SocketError error);
            if (error != SocketError.Interrupted && (error != SocketError.Success || got == 0))
            {
                return;
            }
            left = Wire.Linger - Stopwatch.GetElapsedTime(start);
        }
    }
}
