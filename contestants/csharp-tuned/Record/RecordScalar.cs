// RecordScalar.cs: the parser as a specification: one byte of the text after the other. What it says of rejected texts
// stands at the top of lib/record/record_scalar.c, rule by rule.
using System;
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

internal enum Step
{
    /// <summary>One more record was read.</summary>
    Record,

    /// <summary>The array's closing bracket was read.</summary>
    End,

    /// <summary>The reader has stopped.</summary>
    Fault,
}

/// <summary>
/// The record being read. Text is written where it belongs: behind the place of the head, which is written when the
/// record is complete. While a record grows, at most MessageWaitsAt bytes more are in use than the text that it came
/// from has; Contract.RecordsSlack covers this.
/// </summary>
internal unsafe struct OpenRecord
{
    public Record Head;

    /// <summary>Bit i: key i has been read.</summary>
    public uint Keys;

    /// <summary>Behind the head's place.</summary>
    public byte* Text;
}

internal static unsafe class RecordScalar
{
    // Where a message waits that comes before the source of its record.
    private const uint MessageWaitsAt = Contract.SourceBytesMax + ScanString.Slack;

    private const uint AllKeys = (1u << Words.KeyCount) - 1;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool HasKey(OpenRecord* record, Key key) => (record->Keys >> (int)key & 1) != 0;

    // Room for words that must be unescaped to be known.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* FreeRoom(OpenRecord* record) => record->Text + MessageWaitsAt + record->Head.MessageBytes;

    // Reads one of `words` as a string; the opening quote stands at `quote`. The word may be Words.None.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* ReadWord(Reader* reader, byte* quote, WordSet* words, OpenRecord* record, out int word)
    {
        word = Words.At(words, quote + 1, reader->End);
        if (word != Words.None)
        {
            return quote + 1 + WordSet.WordsOf(words)[word].Bytes;
        }
        int odd;
        byte* at = ReadOddWord(reader, quote, words, FreeRoom(record), &odd);
        word = odd;
        return at;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* ReadOddWord(Reader* reader, byte* quote, WordSet* words, byte* room, int* wordOut)
    {
        ulong bytes = 0;
        *wordOut = Words.None;
        byte* at = ScanString.Read(reader, quote + 1, room, &bytes);
        if (at == null)
        {
            return null;
        }
        room[bytes] = (byte)'"';
        int word = Words.At(words, room, room + bytes + 1);
        // The text itself may hold quotes: id\"x is not id.
        if (word != Words.None && WordSet.WordsOf(words)[word].Bytes != bytes + 1)
        {
            word = Words.None;
        }
        *wordOut = word;
        return at;
    }

    private static byte* ReadSource(Reader* reader, byte* quote, OpenRecord* record)
    {
        ulong bytes = 0;
        byte* at = ScanString.Read(reader, quote + 1, record->Text, &bytes);
        if (at == null)
        {
            return null;
        }
        if (bytes == 0 || bytes > Contract.SourceBytesMax)
        {
            return Reader.Stop(reader, Error.Length, quote);
        }
        record->Head.SourceBytes = (ushort)bytes;
        if (HasKey(record, Key.Message))
        {
            uint length = record->Head.MessageBytes;
            Buffer.MemoryCopy(record->Text + MessageWaitsAt, record->Text + bytes, length, length);
        }
        return at;
    }

    private static byte* ReadMessage(Reader* reader, byte* quote, OpenRecord* record)
    {
        uint place = HasKey(record, Key.Source) ? record->Head.SourceBytes : MessageWaitsAt;
        ulong bytes = 0;
        byte* at = ScanString.Read(reader, quote + 1, record->Text + place, &bytes);
        if (at == null)
        {
            return null;
        }
        if (bytes > Contract.MessageBytesMax)
        {
            return Reader.Stop(reader, Error.Length, quote);
        }
        record->Head.MessageBytes = (uint)bytes;
        return at;
    }

    private static byte* ReadKind(Reader* reader, byte* quote, OpenRecord* record)
    {
        byte* at = ReadWord(reader, quote, Tables.KindWords(reader->Tables), record, out int kind);
        if (at != null && kind == Words.None)
        {
            return Reader.Stop(reader, Error.Kind, quote);
        }
        record->Head.Kind = (byte)kind;
        return at;
    }

    private static byte* ReadFlag(Reader* reader, byte* quote, OpenRecord* record)
    {
        byte* at = ReadWord(reader, quote, Tables.FlagWords(reader->Tables), record, out int flag);
        if (at == null)
        {
            return null;
        }
        if (flag == Words.None)
        {
            return Reader.Stop(reader, Error.Flag, quote);
        }
        uint flags = record->Head.Flags;
        if ((flags >> flag & 1) != 0)
        {
            return Reader.Stop(reader, Error.FlagTwice, quote);
        }
        record->Head.Flags = (byte)(flags | 1u << flag);
        return at;
    }

    // Reads the array whose bracket stands at `at`.
    private static byte* ReadFlags(Reader* reader, byte* at, OpenRecord* record)
    {
        at = Reader.SkipSpace(reader, at + 1);
        if (Reader.IsAt(reader, at, (byte)']'))
        {
            return at + 1;
        }
        for (; ; )
        {
            if (!Reader.IsAt(reader, at, (byte)'"'))
            {
                return Reader.StopOtherValue(reader, at);
            }
            at = ReadFlag(reader, at, record);
            if (at == null)
            {
                return null;
            }
            at = Reader.SkipSpace(reader, at);
            if (Reader.IsAt(reader, at, (byte)']'))
            {
                return at + 1;
            }
            if (!Reader.IsAt(reader, at, (byte)','))
            {
                return Reader.StopUnexpected(reader, Error.Syntax, at);
            }
            at = Reader.SkipSpace(reader, at + 1);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* ReadValue(Reader* reader, byte* at, OpenRecord* record)
    {
        NumberToken token = default;
        byte* behind = ScanNumber.ReadToken(reader, at, ref token);
        if (behind == null)
        {
            return null;
        }
        if (token.Count > Decimal.SignificandDigits || !DoubleFromDecimal.TryClinger(
                token.Significand, token.Exponent, token.Negative, reader->Tables, out ulong bits))
        {
            bits = OddBits(token, reader->Tables);
        }
        double value = BitConverter.UInt64BitsToDouble(bits);
        if (!(value >= -Contract.ValueLimit && value <= Contract.ValueLimit))
        {
            return Reader.Stop(reader, Error.ValueRange, at);
        }
        record->Head.ValueBits = bits;
        return behind;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong OddBits(NumberToken token, byte* tables)
    {
        Decimal number;
        ScanNumber.ToDecimal(token, &number);
        return DoubleFromDecimal.Bits(&number, tables);
    }

    // Stops where the value of `key` was to begin and something else does.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* StopOtherValue(Reader* reader, byte* at, Key key)
    {
        bool number = key is Key.Id or Key.Timestamp or Key.Value;
        bool elsewhereANumber = number && *at is (byte)'+' or (byte)'.' or (byte)'N' or (byte)'I';
        return elsewhereANumber ? Reader.Stop(reader, Error.Number, at) : Reader.StopOtherValue(reader, at);
    }

    // At the end of the text a number is cut off there, not of another type.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool MayBeNumber(Reader* reader, byte* at) =>
        at >= reader->End || (uint)(*at - '0') <= 9 || *at == (byte)'-';

    // Reads the value of `key` at `at`.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* ReadValueOf(Reader* reader, byte* at, Key key, OpenRecord* record)
    {
        switch (key)
        {
            case Key.Id when MayBeNumber(reader, at):
                return ScanNumber.ReadInteger(reader, at, Contract.IdMax, &record->Head.Id);
            case Key.Timestamp when MayBeNumber(reader, at):
                return ScanNumber.ReadInteger(reader, at, Contract.TimestampUsMax, &record->Head.TimestampUs);
            case Key.Value when MayBeNumber(reader, at):
                return ReadValue(reader, at, record);
            case Key.Source when Reader.IsAt(reader, at, (byte)'"'):
                return ReadSource(reader, at, record);
            case Key.Message when Reader.IsAt(reader, at, (byte)'"'):
                return ReadMessage(reader, at, record);
            case Key.Kind when Reader.IsAt(reader, at, (byte)'"'):
                return ReadKind(reader, at, record);
            case Key.Flags when Reader.IsAt(reader, at, (byte)'['):
                return ReadFlags(reader, at, record);
            default:
                return StopOtherValue(reader, at, key);
        }
    }

    // Reads a key, its colon and its value; `quote` is where the key must begin.
    private static byte* ReadMember(Reader* reader, byte* quote, OpenRecord* record)
    {
        if (!Reader.IsAt(reader, quote, (byte)'"'))
        {
            return Reader.StopUnexpected(reader, Error.Syntax, quote);
        }
        byte* at = ReadWord(reader, quote, Tables.KeyWords(reader->Tables), record, out int key);
        if (at == null)
        {
            return null;
        }
        if (key == Words.None)
        {
            return Reader.Stop(reader, Error.KeyUnknown, quote);
        }
        if (HasKey(record, (Key)key))
        {
            return Reader.Stop(reader, Error.KeyTwice, quote);
        }
        at = Reader.SkipSpace(reader, at);
        if (!Reader.IsAt(reader, at, (byte)':'))
        {
            return Reader.StopUnexpected(reader, Error.Syntax, at);
        }
        at = ReadValueOf(reader, Reader.SkipSpace(reader, at + 1), (Key)key, record);
        record->Keys |= 1u << key;
        return at;
    }

    // Reads the record whose brace stands at `at`; writes it to `place`.
    private static byte* ReadRecord(Reader* reader, byte* at, byte* place)
    {
        OpenRecord record = new() { Text = place + Contract.RecordHeadBytes };
        at = Reader.SkipSpace(reader, at + 1);
        bool more = !Reader.IsAt(reader, at, (byte)'}');
        while (more)
        {
            at = ReadMember(reader, at, &record);
            if (at == null)
            {
                return null;
            }
            at = Reader.SkipSpace(reader, at);
            if (!Reader.IsAt(reader, at, (byte)','))
            {
                break;
            }
            at = Reader.SkipSpace(reader, at + 1);
        }
        if (!Reader.IsAt(reader, at, (byte)'}'))
        {
            return Reader.StopUnexpected(reader, Error.Syntax, at);
        }
        if (record.Keys != AllKeys)
        {
            return Reader.Stop(reader, Error.KeyMissing, at);
        }
        *(Record*)place = record.Head;
        return at + 1;
    }

    // Reads the record whose brace must stand at `at` and adds it to `result`.
    private static byte* AddRecord(Reader* reader, byte* at, byte* place, Result* result)
    {
        if (!Reader.IsAt(reader, at, (byte)'{'))
        {
            return Reader.StopUnexpected(reader, Error.Syntax, at);
        }
        if (result->Records == Contract.BatchRecordsMax)
        {
            return Reader.Stop(reader, Error.RecordsMax, at);
        }
        at = ReadRecord(reader, at, place);
        if (at != null)
        {
            result->Records++;
            result->UsedBytes += Contract.RecordStride((Record*)place);
        }
        return at;
    }

    /// <summary>
    /// Reads what follows at *atIo, which stands behind the opening bracket or behind a record: one record with the
    /// comma before it, or the closing bracket. Moves *atIo behind it. A record is written to <paramref name="records"/>
    /// + UsedBytes and added to Records and UsedBytes of *result, not to its digest.
    /// </summary>
    public static Step ReadStep(Reader* reader, byte** atIo, byte* records, Result* result)
    {
        byte* at = Reader.SkipSpace(reader, *atIo);
        bool first = result->Records == 0;
        if (Reader.IsAt(reader, at, (byte)']'))
        {
            *atIo = at + 1;
            return Step.End;
        }
        if (!first)
        {
            if (!Reader.IsAt(reader, at, (byte)','))
            {
                _ = Reader.StopUnexpected(reader, Error.Syntax, at);
                return Step.Fault;
            }
            at = Reader.SkipSpace(reader, at + 1);
        }
        at = AddRecord(reader, at, records + result->UsedBytes, result);
        if (at == null)
        {
            return Step.Fault;
        }
        *atIo = at;
        return Step.Record;
    }

    /// <summary>
    /// Reads everything before the first record. The position behind the array's opening bracket, or null after a
    /// fault.
    /// </summary>
    public static byte* Begin(Reader* reader)
    {
        byte* at = reader->Begin;
        if (reader->End - at >= 3 && at[0] == 0xEF && at[1] == 0xBB && at[2] == 0xBF)
        {
            return Reader.Stop(reader, Error.Bom, at);
        }
        at = Reader.SkipSpace(reader, at);
        if (at == reader->End)
        {
            return Reader.Stop(reader, Error.Empty, at);
        }
        return *at == (byte)'[' ? at + 1 : Reader.StopUnexpected(reader, Error.Syntax, at);
    }

    /// <summary>Reads what stands behind the closing bracket: white space, or a fault.</summary>
    public static void End(Reader* reader, byte* at)
    {
        at = Reader.SkipSpace(reader, at);
        if (at < reader->End)
        {
            _ = Reader.StopUnexpected(reader, Error.Trailing, at);
        }
    }

    /// <summary>What to say of a batch: *read, or the reader's fault in its place.</summary>
    public static void WriteResult(Reader* reader, Result* read, Result* resultOut)
    {
        if (reader->Error == Error.Ok)
        {
            *resultOut = *read;
            return;
        }
        *resultOut = new Result
        {
            Error = reader->Error,
            ErrorRecord = read->Records,
            ErrorOffset = (ulong)(reader->Fault - reader->Begin),
        };
    }

    /// <summary>The kernel "scalar".</summary>
    public static void Parse(ParserState* state, byte* json, nuint jsonBytes, byte* recordsOut, Result* resultOut,
        byte* tables)
    {
        Reader reader = new() { Begin = json, End = json + jsonBytes, Tables = tables };
        Result result = default;
        byte* at = Begin(&reader);
        Step step = at == null ? Step.Fault : Step.Record;
        while (step == Step.Record)
        {
            step = ReadStep(&reader, &at, recordsOut, &result);
        }
        if (step == Step.End)
        {
            End(&reader, at);
        }
        // All digests at once: reading a record back while its stores are under way is slower.
        result.Digest = reader.Error == Error.Ok ? Digest.Of(recordsOut, result.Records, tables) : 0;
        WriteResult(&reader, &result, resultOut);
    }
}
