using System.Collections.Generic;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MatchRace.StjSerializer;

/// <summary>
/// What the source generator makes of <see cref="Record"/>. Strict (.NET 10): no unknown keys, none twice, none missing, no
/// null where a type is not nullable, case-sensitive. Three levels: an array of objects with an array in them.
/// </summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, MaxDepth = 3, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(List<Record?>))]
internal sealed partial class RecordContext : JsonSerializerContext;
