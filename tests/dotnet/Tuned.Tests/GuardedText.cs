// GuardedText.cs: text whose last padding byte stands right before a page that may not be touched.
using System;
using System.Runtime.InteropServices;

namespace MatchRace.Tuned.Tests;

internal sealed unsafe partial class GuardedText : IDisposable
{
    private const int PageBytes = 4096;
    private const int ProtectNone = 0;
    private const int ProtectReadWrite = 3;
    private const int MapPrivateAnonymous = 0x22;

    private readonly byte* begin;
    private readonly nuint wholeBytes;
    private readonly byte* last;

    public GuardedText(int bytesMax)
    {
        wholeBytes = (nuint)((bytesMax + 128 + PageBytes - 1) / PageBytes + 2) * PageBytes;
        begin = Map(null, wholeBytes, ProtectReadWrite, MapPrivateAnonymous, -1, 0);
        last = begin + wholeBytes - PageBytes;
        if (begin == (byte*)-1 || Protect(begin, PageBytes, ProtectNone) != 0 || Protect(last, PageBytes, ProtectNone) != 0)
        {
            throw new OutOfMemoryException("no guarded memory");
        }
    }

    /// <summary>Puts the text <paramref name="behind"/> bytes and its padding before the forbidden page.</summary>
    public byte* Put(ReadOnlySpan<byte> text, int behind)
    {
        byte* place = last - Contract.PadBack - behind - text.Length;
        new Span<byte>(begin + PageBytes, (int)(last - begin) - PageBytes).Fill((byte)'"');
        text.CopyTo(new Span<byte>(place, text.Length));
        return place;
    }

    public void Dispose() => _ = Unmap(begin, wholeBytes);

    [LibraryImport("libc", EntryPoint = "mmap")]
    private static partial byte* Map(byte* at, nuint bytes, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "mprotect")]
    private static partial int Protect(byte* at, nuint bytes, int protection);

    [LibraryImport("libc", EntryPoint = "munmap")]
    private static partial int Unmap(byte* at, nuint bytes);
}
