using System;
using System.Collections.Generic;
using System.IO;
using Microsoft.Win32.SafeHandles;

namespace MatchRace.Common;

/// <summary>Where one payload stands.</summary>
internal readonly record struct BatchPlace(byte[] Memory, int Start, int Bytes);

/// <summary>A dataset's NAME.batches in memory (docs/PROTOCOL.md, section 7), padded as payloads are.</summary>
internal sealed class BatchesFile
{
    // Arrays have at most 2 GiB: a longer file is read into several, none of which cuts a frame.
    private const int ChunkBytes = 1 << 30;

    private readonly BatchPlace[] _batches;

    private BatchesFile(BatchPlace[] batches) => _batches = batches;

    public ReadOnlySpan<BatchPlace> Batches => _batches;

    /// <exception cref="EnvironmentException">It can't be read, or is no such file.</exception>
    public static BatchesFile Read(string path)
    {
        try
        {
            using SafeFileHandle file = File.OpenHandle(path);
            return new BatchesFile(ReadAll(path, file));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            // As other languages say it, without the path once more.
            string why = e switch
            {
                FileNotFoundException or DirectoryNotFoundException => "No such file or directory",
                UnauthorizedAccessException => Directory.Exists(path) ? "Is a directory" : "Permission denied",
                PathTooLongException => "File name too long",
                _ => e.Message,
            };
            throw new EnvironmentException($"cannot read {path}: {why}; --data takes the dataset's path without '.batches'");
        }
    }

    private static BatchPlace[] ReadAll(string path, SafeFileHandle file)
    {
        long size = RandomAccess.GetLength(file);
        List<BatchPlace> batches = [];
        for (long at = 0; at < size;)
        {
            int wanted = (int)Math.Min(size - at, ChunkBytes);
            PaddedBuffer chunk = new(wanted);
            ReadExactly(file, chunk.Memory.AsSpan(PaddedBuffer.Start, wanted), at);
            int used = TakeFrames(path, chunk, at, size, batches);
            at += used;
        }
        return batches.Count > 0 ? [.. batches] : throw NotWhole(path, "it is empty");
    }

    // Returns the bytes of whole frames in the chunk.
    private static int TakeFrames(string path, PaddedBuffer chunk, long chunkOffset, long size, List<BatchPlace> batches)
    {
        int at = 0;
        while (chunk.CapacityBytes - at >= Wire.HeadBytes)
        {
            FrameHead head = FrameHead.Read(chunk.Memory.AsSpan(PaddedBuffer.Start + at));
            long offset = chunkOffset + at;
            if (head.Type != Wire.Batch || head.Version != Wire.Version || head.Reserved != 0 ||
                head.Sequence != (ulong)batches.Count)
            {
                throw NotWhole(path, $"frame {batches.Count} at byte {offset}: not BATCH number {batches.Count} of version 1");
            }
            long end = offset + Wire.HeadBytes + head.PayloadBytes;
            if (end > size || Wire.HeadBytes + (long)head.PayloadBytes > ChunkBytes)
            {
                throw NotWhole(path, $"frame {batches.Count} at byte {offset}: {head.PayloadBytes} bytes of payload do not fit");
            }
            if (end - chunkOffset > chunk.CapacityBytes)
            {
                return at; // the next chunk begins here
            }
            batches.Add(new BatchPlace(chunk.Memory, PaddedBuffer.Start + at + Wire.HeadBytes, (int)head.PayloadBytes));
            at += Wire.HeadBytes + (int)head.PayloadBytes;
        }
        return at < chunk.CapacityBytes && chunkOffset + chunk.CapacityBytes == size
                   ? throw NotWhole(path, $"frame {batches.Count} at byte {chunkOffset + at}: its header is cut off")
                   : at;
    }

    private static void ReadExactly(SafeFileHandle file, Span<byte> into, long offset)
    {
        while (into.Length > 0)
        {
            int got = RandomAccess.Read(file, into, offset);
            if (got == 0)
            {
                throw new EndOfStreamException("the file became shorter.");
            }
            into = into[got..];
            offset += got;
        }
    }

    private static EnvironmentException NotWhole(string path, string why) =>
        new($"{path} is no whole file of batches: {why}; make it anew with 'matchrace data make'");
}
