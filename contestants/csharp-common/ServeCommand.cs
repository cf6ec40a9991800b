using System;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace MatchRace.Common;

/// <summary>A whole server: starts everything before it says <c>listening</c>, and ends by SIGTERM.</summary>
internal static class ServeCommand
{
    // Received at one time by a turn of a connection; as in lib/serve, where it was measured.
    private const int SharedBytes = 512 << 10;

    // Descriptors beside those of connections: standard streams, listener, the runtime's own, and refused connections
    // while they are told so.
    private const int DescriptorsApart = 90;

    public static int Run<TParser, TPlace>(string name, ServeOptions options, Contestant<TParser, TPlace> contestant)
        where TParser : struct, IBatchParser<TPlace>
        where TPlace : KeptPlace
    {
        LimitConnections(name, options);
        // Read by the runtime when the first socket is made.
        SocketKnobs.Set(options);
        using Socket listener = Listen(options.Listen, out string address);
        Books<TPlace> books = new();
        bool isBlocking = options.Io == IoWay.Blocking;
        Dose? dose = Dose.Of(options.DosePpm);
        Worker<TParser, TPlace>[] workers = new Worker<TParser, TPlace>[options.Threads];
        for (int i = 0; i < workers.Length; i++)
        {
            workers[i] = new(contestant.CreateParser(new ParserOptions(options.Kernel)), options.Mode, books.AddBook(),
                             isBlocking ? 0 : SharedBytes, dose);
        }
        RuntimeFigures figures = new();
        ServerRoom<TPlace> room = new(books, contestant.CreatePlace, options,
                                      () => WelcomeText.Make(contestant, workers[0].Kernel, options), figures);
        WorkerPool<Worker<TParser, TPlace>> pool = new(workers);

        using PosixSignalRegistration term = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
        {
            // Connections may be open and batches in flight; they stay unanswered.
            context.Cancel = true;
            Environment.Exit(ExitCode.Ok);
        });
        StandardOutput.Write($"listening {address}\n");
        if (isBlocking)
        {
            new BlockingServer<TParser, TPlace>(room, pool, listener).Run();
        }
        else
        {
            new AsyncServer<TParser, TPlace>(room, pool, listener).RunAsync().GetAwaiter().GetResult();
        }
        return ExitCode.Ok;
    }

    private static Socket Listen(string words, out string address)
    {
        IPEndPoint target = ListenAddress.Resolve(words);
        Socket listener = new(target.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            listener.Bind(target);
            listener.Listen(int.MaxValue); // the kernel's own limit
        }
        catch (SocketException e)
        {
            listener.Dispose();
            throw new EnvironmentException($"cannot listen on {words}: {e.Message}");
        }
        address = ((IPEndPoint)listener.LocalEndPoint!).ToString();
        return listener;
    }

    // Fewer connections than asked for where the descriptors do not suffice, and says so.
    private static void LimitConnections(string name, ServeOptions options)
    {
        long descriptors = (long)Math.Min(Descriptors.Raise(), int.MaxValue);
        long allowed = descriptors - DescriptorsApart;
        if (allowed < 1)
        {
            throw new EnvironmentException(
                $"{descriptors} descriptors are too few, at least {DescriptorsApart + 1} are needed (ulimit -Hn)");
        }
        if (allowed < options.MaxConnections)
        {
            options.MaxConnections = (int)allowed;
            Console.Error.WriteLine($"{name}: at most {allowed} connections, for there are {descriptors} descriptors");
        }
    }
}
