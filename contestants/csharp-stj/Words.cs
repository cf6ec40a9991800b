using System;
using System.Text.Json;

namespace MatchRace.Stj;

/// <summary>The words of the schema: keys, kinds and flags, compared after unescaping.</summary>
internal static class Words
{
    public const int Id = 0;
    public const int Timestamp = 1;
    public const int Source = 2;
    public const int Kind = 3;
    public const int Value = 4;
    public const int Flags = 5;
    public const int Message = 6;

    /// <summary>The key that the reader stands on, or −1. <paramref name="expected"/> is tried first.</summary>
    public static int Key(ref Utf8JsonReader reader, int expected)
    {
        if (Is(ref reader, expected))
        {
            return expected;
        }
        for (int key = Id; key <= Message; key++)
        {
            if (Is(ref reader, key))
            {
                return key;
            }
        }
        return -1;
    }

    /// <summary>The code of the kind that the reader stands on, or −1.</summary>
    public static int KindCode(ref Utf8JsonReader reader) =>
        reader.ValueTextEquals("metric"u8)  ? 0
        : reader.ValueTextEquals("event"u8) ? 1
        : reader.ValueTextEquals("log"u8)   ? 2
        : reader.ValueTextEquals("trace"u8) ? 3
        : reader.ValueTextEquals("alert"u8) ? 4
        : reader.ValueTextEquals("audit"u8) ? 5
        : reader.ValueTextEquals("span"u8)  ? 6
        : reader.ValueTextEquals("state"u8) ? 7
                                            : -1;

    /// <summary>The bit of the flag that the reader stands on, or −1.</summary>
    public static int FlagBit(ref Utf8JsonReader reader) =>
        reader.ValueTextEquals("urgent"u8)      ? 0
        : reader.ValueTextEquals("sampled"u8)   ? 1
        : reader.ValueTextEquals("retry"u8)     ? 2
        : reader.ValueTextEquals("internal"u8)  ? 3
        : reader.ValueTextEquals("encrypted"u8) ? 4
        : reader.ValueTextEquals("batched"u8)   ? 5
        : reader.ValueTextEquals("partial"u8)   ? 6
        : reader.ValueTextEquals("replayed"u8)  ? 7
                                                : -1;

    private static bool Is(ref Utf8JsonReader reader, int key) => key switch
    {
        Id => reader.ValueTextEquals("id"u8),
        Timestamp => reader.ValueTextEquals("timestamp"u8),
        Source => reader.ValueTextEquals("source"u8),
        Kind => reader.ValueTextEquals("kind"u8),
        Value => reader.ValueTextEquals("value"u8),
        Flags => reader.ValueTextEquals("flags"u8),
        Message => reader.ValueTextEquals("message"u8),
        _ => false,
    };
}
