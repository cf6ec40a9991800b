using Newtonsoft.Json;

namespace MatchRace.NewtonsoftJson;

/// <summary>The words of the schema: keys, kinds and flags.</summary>
internal static class Words
{
    public const int Id = 0;
    public const int Timestamp = 1;
    public const int Source = 2;
    public const int Kind = 3;
    public const int Value = 4;
    public const int Flags = 5;
    public const int Message = 6;
    public const int KeyCount = 7;

    /// <summary>The keys as the reader hands them out again and again, instead of a new string for each.</summary>
    public static readonly JsonNameTable Names = CreateNames();

    /// <summary>The key of this name, or −1.</summary>
    public static int Key(string name) => name switch
    {
        "id" => Id,
        "timestamp" => Timestamp,
        "source" => Source,
        "kind" => Kind,
        "value" => Value,
        "flags" => Flags,
        "message" => Message,
        _ => -1,
    };

    /// <summary>The code of this kind, or −1.</summary>
    public static int KindCode(string name) => name switch
    {
        "metric" => 0,
        "event" => 1,
        "log" => 2,
        "trace" => 3,
        "alert" => 4,
        "audit" => 5,
        "span" => 6,
        "state" => 7,
        _ => -1,
    };

    /// <summary>The bit of this flag, or −1.</summary>
    public static int FlagBit(string name) => name switch
    {
        "urgent" => 0,
        "sampled" => 1,
        "retry" => 2,
        "internal" => 3,
        "encrypted" => 4,
        "batched" => 5,
        "partial" => 6,
        "replayed" => 7,
        _ => -1,
    };

    private static DefaultJsonNameTable CreateNames()
    {
        DefaultJsonNameTable names = new();
        foreach (string name in (string[])["id", "timestamp", "source", "kind", "value", "flags", "message"])
        {
            _ = names.Add(name);
        }
        return names;
    }
}
