using System;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace MatchRace.Common;

/// <summary>
/// The ways inline and async. A connection waits until something can be read (a receive of no bytes), then takes a turn:
/// with a worker, it receives once into the worker's buffer and answers what came. So a thousand idle connections hold no
/// buffers, and what is parsed was just received.
/// </summary>
internal sealed class AsyncServer<TParser, TPlace>(ServerRoom<TPlace> room, WorkerPool<Worker<TParser, TPlace>> pool, Socket listener)
    where TParser : struct, IBatchParser<TPlace>
    where TPlace : KeptPlace
{
    // With input always there, a connection would keep the thread that waits for all others: after so many turns it
    // goes on behind the thread pool's queue.
    private const int TurnsInARow = 16;

    private int _connections;

    /// <summary>Accepts until the process ends.</summary>
    public async Task RunAsync()
    {
        while (true)
        {
            Socket socket;
            try
            {
                socket = await listener.AcceptAsync().ConfigureAwait(false);
            }
            catch (SocketException e)
            {
                // Of the one connection, or out of descriptors: then waiting is all that helps.
                await Task.Delay(e.SocketErrorCode == SocketError.TooManyOpenSockets ? 100 : 0).ConfigureAwait(false);
                continue;
            }
            _ = ServeAsync(socket);
        }
    }

    private async Task ServeAsync(Socket socket)
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
            socket.Blocking = false;
            session = new(room, new Replies(socket, isBlocking: false));
            if (isOver)
            {
                session.Fail(0, $"this server takes at most {room.Options.MaxConnections} connections at one time");
            }
            else
            {
                await ConverseAsync(socket, session).ConfigureAwait(false);
            }
            session.Replies.Flush();
            if (session.HasFailed)
            {
                await EndBehindErrorAsync(socket, session.Replies).ConfigureAwait(false);
            }
            else
            {
                await session.Replies.UnsentAtMostAsync(0).ConfigureAwait(false);
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

    // Returns when input has ended, an ERROR is queued, or nothing can be sent any more.
    private async Task ConverseAsync(Socket socket, Session<TParser, TPlace> session)
    {
        int turns = 0;
        while (true)
        {
            if (!session.Reader.HasRun)
            {
                ValueTask<int> readable = socket.ReceiveAsync(Memory<byte>.Empty, SocketFlags.None);
                turns = readable.IsCompleted ? turns + 1 : 0;
                if (!readable.IsCompleted)
                {
                    session.Reader.Park();
                }
                _ = await readable.ConfigureAwait(false);
                session.Reader.Unpark();
                if (turns == TurnsInARow)
                {
                    turns = 0;
                    await Task.Yield();
                }
            }
            Worker<TParser, TPlace> worker = await pool.RentAsync().ConfigureAwait(false);
            bool isOpen;
            try
            {
                isOpen = TakeTurn(socket, session, worker);
            }
            finally
            {
                pool.Return(worker);
            }
            session.Replies.Flush();
            if (!isOpen || session.HasFailed || session.Replies.HasFailed)
            {
                return;
            }
            if (session.Replies.IsClogged)
            {
                await session.Replies.UnsentAtMostAsync(Wire.UnsentBytesLimit).ConfigureAwait(false);
            }
        }
    }

    // False: input has ended.
    private static bool TakeTurn(Socket socket, Session<TParser, TPlace> session, Worker<TParser, TPlace> worker)
    {
        if (!session.Reader.HasRun)
        {
            PaddedBuffer shared = worker.Shared!;
            int got = socket.Receive(session.Reader.Target(shared).Span, SocketFlags.None, out SocketError error);
            if (error is SocketError.WouldBlock or SocketError.Interrupted)
            {
                return true;
            }
            if (error != SocketError.Success || got == 0)
            {
                return false;
            }
            session.Reader.Received(shared, got);
        }
        session.AnswerReceived(worker);
        return true;
    }

    // Sends what is queued, shuts the writing side down, and throws input away until the client ends or a second has
    // passed since.
    private static async Task EndBehindErrorAsync(Socket socket, Replies replies)
    {
        using CancellationTokenSource patience = new();
        Task discarded = DiscardAsync(socket, patience.Token);
        await replies.UnsentAtMostAsync(0).ConfigureAwait(false);
        if (!replies.HasFailed)
        {
            socket.Shutdown(SocketShutdown.Send);
            patience.CancelAfter(Wire.Linger);
        }
        else
        {
            await patience.CancelAsync().ConfigureAwait(false);
        }
        await discarded.ConfigureAwait(false);
    }

    private static async Task DiscardAsync(Socket socket, CancellationToken end)
    {
        byte[] nowhere = new byte[16384];
        try
        {
            while (await socket.ReceiveAsync(nowhere, SocketFlags.None, end).ConfigureAwait(false) > 0)
            {
                // What the client still sends goes nowhere.
            }
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            // The end of the connection, or of patience.
        }
    }
}
