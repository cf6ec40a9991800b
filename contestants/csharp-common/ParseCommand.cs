using System;
using System.Diagnostics;
using System.IO;

namespace MatchRace.Common;

/// <summary>
/// Passes over a dataset's batches in memory, on one thread; totals and ring go on from pass to pass as over one
/// connection.
/// </summary>
internal static class ParseCommand
{
    // What one pass did.
    private struct Pass
    {
        public ulong Records;
        public ulong Bytes;
        public ulong Ns;
        public ulong Digest;
    }

    public static int Run<TParser, TPlace>(ParseOptions options, Contestant<TParser, TPlace> contestant)
        where TParser : struct, IBatchParser<TPlace>
        where TPlace : KeptPlace
    {
        BatchesFile file = BatchesFile.Read($"{options.Data}.batches");
        Book book = new();
        Worker<TParser, TPlace> worker =
            new(contestant.CreateParser(new ParserOptions(options.Kernel)), options.Mode, book, sharedBytes: 0,
                Dose.Of(options.DosePpm));
        Ring<TPlace>? ring = options.Mode == Mode.Drain ? null
                                                        : new(options.Mode, options.MaxKeptBytes, contestant.CreatePlace);
        // Stepping ends with standard input unless a number is told; otherwise one pass is the default.
        long repeat = options.Repeat ?? (options.IsStepping ? long.MaxValue : 1);
        using Stream input = new BufferedStream(Console.OpenStandardInput());
        for (long i = 0; i < repeat; i++)
        {
            if (options.IsStepping && !StepInput.TryReadLine(input))
            {
                break;
            }
            if (!TryRunPass(worker, ring, file, out Pass pass))
            {
                throw new EnvironmentException($"the kept batches are over --max-kept {options.MaxKeptBytes} bytes");
            }
            StandardOutput.Write($"{{\"records\":{pass.Records},\"bytes\":{pass.Bytes},\"ns\":{pass.Ns},\"digest\":\"{pass.Digest:x16}\"}}\n");
        }
        return ExitCode.Ok;
    }

    // The timed part: parse, digest, totals, copies of every batch.
    private static bool TryRunPass<TParser, TPlace>(Worker<TParser, TPlace> worker, Ring<TPlace>? ring, BatchesFile file,
                                                    out Pass pass)
        where TParser : struct, IBatchParser<TPlace>
        where TPlace : KeptPlace
    {
        pass = default;
        long start = Stopwatch.GetTimestamp();
        foreach (ref readonly BatchPlace batch in file.Batches)
        {
            // The next pass must see the same bytes.
            Payload payload = new(batch.Memory, batch.Start, batch.Bytes, isWritable: false);
            if (worker.Take(payload, ring, out Ack ack) == Taken.OverMaxKept)
            {
                return false;
            }
            pass.Records += ack.Records;
            pass.Digest += ack.Digest;
            pass.Bytes += (uint)batch.Bytes;
        }
        pass.Ns = (ulong)Math.Max(1, (Stopwatch.GetTimestamp() - start) * (1_000_000_000 / Stopwatch.Frequency));
        return true;
    }
}
