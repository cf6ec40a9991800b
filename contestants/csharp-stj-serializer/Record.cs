using System.Text.Json.Serialization;

namespace MatchRace.StjSerializer;

/// <summary>
/// One record as a program declares it. Attributes make keys required: with C#'s <c>required</c> the source generator calls
/// a constructor by an array of boxed arguments.
/// </summary>
internal sealed class Record
{
    [JsonRequired, JsonPropertyName("id"), JsonConverter(typeof(DigitsConverter))]
    public ulong Id { get; set; }

    [JsonRequired, JsonPropertyName("timestamp"), JsonConverter(typeof(DigitsConverter))]
    public ulong TimestampUs { get; set; }

    [JsonRequired, JsonPropertyName("source")]
    public string Source { get; set; } = "";

    [JsonRequired, JsonPropertyName("kind"), JsonConverter(typeof(KindConverter))]
    public Kind Kind { get; set; }

    [JsonRequired, JsonPropertyName("value"), JsonConverter(typeof(ExactDoubleConverter))]
    public double Value { get; set; }

    [JsonRequired, JsonPropertyName("flags"), JsonConverter(typeof(FlagsConverter))]
    public Flags Flags { get; set; }

    [JsonRequired, JsonPropertyName("message")]
    public string Message { get; set; } = "";
}
