using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace MatchRace.Record;

/// <summary>
/// The strict parser: the JSON text of a batch in, typed records out. One call into native code a batch, whatever its size.
/// </summary>
/// <remarks>
/// A parser may be used by one thread at a time, and by another each time; any number of parsers work beside each other. Two
/// threads in one parser are noticed and refused. <see cref="Dispose"/> may be called by any thread at any time: a call that
/// runs then ends first. A parser that is forgotten is freed by its finalizer.
/// </remarks>
public sealed unsafe class BatchParser : IDisposable
{
    private readonly ParserHandle _handle;
    private byte[] _padded = [];
    private BatchTotals _totals;
    private int _isBusy;

    /// <summary>Makes a parser with the fastest kernel that this machine can run.</summary>
    /// <exception cref="DllNotFoundException">The native library is not there.</exception>
    /// <exception cref="NotSupportedException">The native library is of another version.</exception>
    /// <exception cref="InsufficientMemoryException">There is no memory for a parser.</exception>
    public BatchParser()
        : this(null)
    {
    }

    /// <summary>Makes a parser with the kernel of this name.</summary>
    /// <param name="kernel">A name of <see cref="KernelInfo.BuiltIn"/>; null takes the fastest.</param>
    /// <exception cref="ArgumentException">There is no kernel of that name.</exception>
    /// <exception cref="PlatformNotSupportedException">This machine lacks its instructions.</exception>
    /// <exception cref="DllNotFoundException">The native library is not there.</exception>
    /// <exception cref="NotSupportedException">The native library is of another version.</exception>
    /// <exception cref="InsufficientMemoryException">There is no memory for a parser.</exception>
    public BatchParser(string? kernel)
    {
        _handle = ParserHandle.Create(kernel);
        Kernel = Marshal.PtrToStringUTF8((nint)Native.ParserKernel(_handle))!;
    }

    /// <summary>The kernel that runs.</summary>
    public string Kernel { get; }

    /// <summary>
    /// Sums over the last batch; they mean something after a call that said <see cref="ParsedBatch.HasTotals"/>, until the
    /// next call.
    /// </summary>
    public ref readonly BatchTotals LastTotals => ref _totals;

    /// <summary>The file of the native library that is loaded.</summary>
    /// <exception cref="DllNotFoundException">The native library is not there.</exception>
    public static string NativeLibraryPath => LoadedLibrary.PathOf((nint)Native.Abi());

    /// <summary>Parses a text that stands anywhere; it is copied once, to give it the rims that the parser needs.</summary>
    /// <param name="json">The text.</param>
    /// <param name="batch">Takes the records; empty afterwards when the text is rejected.</param>
    /// <exception cref="BatchRejectedException">The text is no batch; the exception tells why and where.</exception>
    /// <exception cref="ObjectDisposedException">The parser was disposed of.</exception>
    /// <exception cref="InvalidOperationException">Another thread is in this parser.</exception>
    public void Parse(ReadOnlySpan<byte> json, RecordBatch batch)
    {
        if (!TryParse(json, batch, out Rejection rejection))
        {
            throw new BatchRejectedException(rejection);
        }
    }

    /// <summary>As <see cref="Parse(ReadOnlySpan{byte}, RecordBatch)"/>, without a copy.</summary>
    /// <param name="json">The text with its rims.</param>
    /// <param name="batch">Takes the records; empty afterwards when the text is rejected.</param>
    /// <exception cref="ArgumentException"><paramref name="json"/> is default.</exception>
    /// <exception cref="BatchRejectedException">The text is no batch; the exception tells why and where.</exception>
    /// <exception cref="ObjectDisposedException">The parser was disposed of.</exception>
    /// <exception cref="InvalidOperationException">Another thread is in this parser.</exception>
    public void Parse(PaddedJson json, RecordBatch batch)
    {
        if (!TryParse(json, batch, out Rejection rejection))
        {
            throw new BatchRejectedException(rejection);
        }
    }

    /// <summary>As <see cref="Parse(ReadOnlySpan{byte}, RecordBatch)"/>, but says a rejection without an exception.</summary>
    /// <param name="json">The text.</param>
    /// <param name="batch">Takes the records; empty afterwards when the text is rejected.</param>
    /// <param name="rejection">Why and where, when the result is false.</param>
    /// <returns>Whether the text is a batch.</returns>
    /// <exception cref="ObjectDisposedException">The parser was disposed of.</exception>
    /// <exception cref="InvalidOperationException">Another thread is in this parser.</exception>
    public bool TryParse(ReadOnlySpan<byte> json, RecordBatch batch, out Rejection rejection)
    {
        ArgumentNullException.ThrowIfNull(batch);
        Enter();
        try
        {
            return Run(Pad(json), batch, out rejection);
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>As <see cref="Parse(PaddedJson, RecordBatch)"/>, but says a rejection without an exception.</summary>
    /// <param name="json">The text with its rims.</param>
    /// <param name="batch">Takes the records; empty afterwards when the text is rejected.</param>
    /// <param name="rejection">Why and where, when the result is false.</param>
    /// <returns>Whether the text is a batch.</returns>
    /// <exception cref="ArgumentException"><paramref name="json"/> is default.</exception>
    /// <exception cref="ObjectDisposedException">The parser was disposed of.</exception>
    /// <exception cref="InvalidOperationException">Another thread is in this parser.</exception>
    public bool TryParse(PaddedJson json, RecordBatch batch, out Rejection rejection)
    {
        ArgumentNullException.ThrowIfNull(batch);
        Enter();
        try
        {
            return Run(json, batch, out rejection);
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Parses a text into memory of the caller's: for <see cref="RecordSequence"/>, or for a copy that stays.</summary>
    /// <param name="json">The text with its rims.</param>
    /// <param name="records">Takes the records: at least <see cref="RecordSequence.CapacityFor"/> bytes, aligned to 8 (as an
    /// array is), apart from the text. It may be overwritten beyond the last record, and when the text is rejected.</param>
    /// <param name="parsed">What was parsed, when the result is true.</param>
    /// <param name="rejection">Why and where, when the result is false.</param>
    /// <returns>Whether the text is a batch.</returns>
    /// <exception cref="ArgumentException">An argument is not as it must be.</exception>
    /// <exception cref="ObjectDisposedException">The parser was disposed of.</exception>
    /// <exception cref="InvalidOperationException">Another thread is in this parser.</exception>
    public bool TryParse(PaddedJson json, Span<byte> records, out ParsedBatch parsed, out Rejection rejection)
    {
        Enter();
        try
        {
            return Run(json, records, out parsed, out rejection);
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Frees the native parser as soon as no call uses it.</summary>
    public void Dispose() => _handle.Dispose();

    private bool Run(PaddedJson json, RecordBatch batch, out Rejection rejection)
    {
        bool accepted = Run(json, batch.Open(json.Text.Length), out ParsedBatch parsed, out rejection);
        batch.Close(parsed, _totals);
        return accepted;
    }

    private bool Run(PaddedJson json, Span<byte> records, out ParsedBatch parsed, out Rejection rejection)
    {
        int jsonBytes = json.Text.Length;
        if (json.Memory.IsEmpty)
        {
            throw new ArgumentException("a default PaddedJson names no text", nameof(json));
        }
        if (records.Length < RecordSequence.CapacityFor(jsonBytes))
        {
            throw new ArgumentException(
                $"{records.Length} bytes are less than RecordSequence.CapacityFor({jsonBytes})", nameof(records));
        }
        if (json.Memory.Overlaps(records))
        {
            throw new ArgumentException("records may not be written over the text", nameof(records));
        }
        NativeResult result;
        fixed (byte* memory = json.Memory, place = records)
        {
            if ((nuint)place % 8 != 0)
            {
                throw new ArgumentException("records must be aligned to 8 bytes", nameof(records));
            }
            Native.ParserParse(_handle, memory + json.Start, (nuint)jsonBytes, place, &result);
        }
        if (result.Error != 0)
        {
            parsed = default;
            rejection = new Rejection((RejectionReason)result.Error, (int)result.ErrorRecord, (long)result.ErrorOffset);
            return false;
        }
        if (result.Totals != null)
        {
            _totals = *result.Totals;
        }
        parsed = new ParsedBatch((int)result.Records, (int)result.UsedBytes, result.Digest, result.Totals != null);
        rejection = default;
        return true;
    }

    private PaddedJson Pad(ReadOnlySpan<byte> json)
    {
        int wanted = checked(json.Length + 2 * PaddedJson.PadBytes);
        if (_padded.Length < wanted)
        {
            _padded = GC.AllocateUninitializedArray<byte>((int)Math.Min((long)wanted + wanted / 8, Array.MaxLength), pinned: true);
        }
        json.CopyTo(_padded.AsSpan(PaddedJson.PadBytes));
        return new PaddedJson(_padded, PaddedJson.PadBytes, json.Length);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Enter()
    {
        if (Interlocked.Exchange(ref _isBusy, 1) != 0)
        {
            throw new InvalidOperationException("another thread is in this parser; give each thread one of its own");
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Leave() => Volatile.Write(ref _isBusy, 0);
}
