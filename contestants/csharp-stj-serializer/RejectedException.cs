using System.Text.Json;
using MatchRace.Common;

namespace MatchRace.StjSerializer;

/// <summary>The contract refuses what the library would take; the library's own refusals tell no reason.</summary>
internal sealed class RejectedException(BatchError error) : JsonException
{
    public BatchError Error { get; } = error;
}
