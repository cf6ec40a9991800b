using MatchRace.Common;
using Newtonsoft.Json;

namespace MatchRace.NewtonsoftStrict;

/// <summary>The contract refuses what the library takes.</summary>
internal sealed class RejectedException(BatchError error) : JsonException
{
    public BatchError Error { get; } = error;
}
