// Reader.cs: where the scalar reader stands in the text, and how it stops at the first fault.
//
// The functions that read take a position and return the one behind what they have read, or null after they have noted
// the fault. Positions lie in [Begin, End]; bytes at End and behind may be loaded (Contract.PadBack) but decide nothing.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

/// <summary>A text being read. Error and Fault are set once, by Stop(): struct mr_reader.</summary>
internal unsafe struct Reader
{
    public byte* Begin;
    public byte* End;
    public byte* Tables;
    public byte* Fault;
    public Error Error;

    /// <summary>Notes the fault at <paramref name="fault"/>; null, to be returned by the caller.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static byte* Stop(Reader* reader, Error error, byte* fault)
    {
        Check(reader->Error == Error.Ok && error != Error.Ok);
        Check(fault >= reader->Begin && fault <= reader->End);
        reader->Error = error;
        reader->Fault = fault;
        return null;
    }

    /// <summary>
    /// Stops because no allowed byte stands at <paramref name="at"/>. <paramref name="error"/> is said of ASCII and of
    /// characters; the end of the text is Truncated, what is no UTF-8 character Utf8.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static byte* StopUnexpected(Reader* reader, Error error, byte* at)
    {
        if (at == reader->End)
        {
            return Stop(reader, Error.Truncated, at);
        }
        if (*at >= 0x80 && Utf8.Sequence(at, reader->End) <= 0)
        {
            return Stop(reader, Error.Utf8, at);
        }
        return Stop(reader, error, at);
    }

    /// <summary>
    /// Stops where a value was to begin that only other first bytes can begin: Type for the first byte of another JSON
    /// value, else as StopUnexpected() with Syntax.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static byte* StopOtherValue(Reader* reader, byte* at)
    {
        bool other = at < reader->End && "\"{[-0123456789tfn"u8.Contains(*at);
        return StopUnexpected(reader, other ? Error.Type : Error.Syntax, at);
    }

    /// <summary>Whether this is white space of RFC 8259 section 2.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsSpace(byte value) =>
        value == (byte)' ' || value == (byte)'\n' || value == (byte)'\r' || value == (byte)'\t';

    /// <summary>The first position at or behind <paramref name="at"/> without white space, or the end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* SkipSpace(Reader* reader, byte* at)
    {
        byte* end = reader->End;
        // Most bytes here are no white space and above it: one comparison tells.
        while (at < end && *at <= (byte)' ' && IsSpace(*at))
        {
            at++;
        }
        return at;
    }

    /// <summary>Whether <paramref name="value"/> stands at <paramref name="at"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsAt(Reader* reader, byte* at, byte value) => at < reader->End && *at == value;

    /// <summary>For own faults; on in every build.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Check(bool condition)
    {
        if (!condition)
        {
            Fail();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Fail() => throw new UnreachableException("a fault of this parser");
}
