using System;
using System.Text.Json;

namespace MatchRace.Stj;

/// <summary>
/// Kinds and flags, compared after unescaping. A word without escapes, which is nearly every one, is told by its length and
/// compared as bytes; only others need the reader's own comparison.
/// </summary>
internal static class Words
{
    /// <summary>The code of the kind that the reader stands on, or −1.</summary>
    public static int KindCode(ref Utf8JsonReader reader)
    {
        if (!reader.ValueIsEscaped)
        {
            return KindOf(reader.ValueSpan);
        }
        for (int code = 0; code < 8; code++)
        {
            if (reader.ValueTextEquals(KindName(code)))
            {
                return code;
            }
        }
        return -1;
    }

    /// <summary>The bit of the flag that the reader stands on, or −1.</summary>
    public static int FlagBit(ref Utf8JsonReader reader)
    {
        if (!reader.ValueIsEscaped)
        {
            return FlagOf(reader.ValueSpan);
        }
        for (int bit = 0; bit < 8; bit++)
        {
            if (reader.ValueTextEquals(FlagName(bit)))
            {
                return bit;
            }
        }
        return -1;
    }

    private static ReadOnlySpan<byte> KindName(int code) => code switch
    {
        0 => "metric"u8,
        1 => "event"u8,
        2 => "log"u8,
        3 => "trace"u8,
        4 => "alert"u8,
        5 => "audit"u8,
        6 => "span"u8,
        _ => "state"u8,
    };

    private static ReadOnlySpan<byte> FlagName(int bit) => bit switch
    {
        0 => "urgent"u8,
        1 => "sampled"u8,
        2 => "retry"u8,
        3 => "internal"u8,
        4 => "encrypted"u8,
        5 => "batched"u8,
        6 => "partial"u8,
        _ => "replayed"u8,
    };

    // The only word that it can be by its length and first byte, compared whole.
    private static int KindOf(ReadOnlySpan<byte> name)
    {
        int code = name.Length switch
        {
            3 => 2,
            4 => 6,
            5 => name[0] switch
            {
                (byte)'e' => 1,
                (byte)'t' => 3,
                (byte)'s' => 7,
                _ => name[1] == (byte)'l' ? 4 : 5,
            },
            6 => 0,
            _ => -1,
        };
        return code >= 0 && name.SequenceEqual(KindName(code)) ? code : -1;
    }

    private static int FlagOf(ReadOnlySpan<byte> name)
    {
        int bit = name.Length switch
        {
            5 => 2,
            6 => 0,
            7 => name[0] switch
            {
                (byte)'s' => 1,
                (byte)'b' => 5,
                _ => 6,
            },
            8 => name[0] == (byte)'i' ? 3 : 7,
            9 => 4,
            _ => -1,
        };
        return bit >= 0 && name.SequenceEqual(FlagName(bit)) ? bit : -1;
    }
}
