using System;
using System.Text.Json;

namespace MatchRace.Stj;

/// <summary>The keys of a record, told as <see cref="Words"/> are.</summary>
internal static class Keys
{
    public const int Id = 0;
    public const int Timestamp = 1;
    public const int Source = 2;
    public const int Kind = 3;
    public const int Value = 4;
    public const int Flags = 5;
    public const int Message = 6;
    public const int Count = 7;

    /// <summary>The key that the reader stands on, or −1. <paramref name="expected"/> is tried first.</summary>
    public static int Find(ref Utf8JsonReader reader, int expected)
    {
        if (!reader.ValueIsEscaped)
        {
            ReadOnlySpan<byte> name = reader.ValueSpan;
            return name.SequenceEqual(Name(expected)) ? expected : Of(name);
        }
        for (int key = 0; key < Count; key++)
        {
            if (reader.ValueTextEquals(Name(key)))
            {
                return key;
            }
        }
        return -1;
    }

    private static ReadOnlySpan<byte> Name(int key) => key switch
    {
        Id => "id"u8,
        Timestamp => "timestamp"u8,
        Source => "source"u8,
        Kind => "kind"u8,
        Value => "value"u8,
        Flags => "flags"u8,
        _ => "message"u8,
    };

    // The only key that it can be by its length and first byte, compared whole.
    private static int Of(ReadOnlySpan<byte> name)
    {
        int key = name.Length switch
        {
            2 => Id,
            4 => Kind,
            5 => name[0] == (byte)'v' ? Value : Flags,
            6 => Source,
            7 => Message,
            9 => Timestamp,
            _ => -1,
        };
        return key >= 0 && name.SequenceEqual(Name(key)) ? key : -1;
    }
}
