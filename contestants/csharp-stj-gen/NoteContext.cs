using System.Collections.Generic;
using System.Text.Json.Serialization;
using MatchRace.Common;

namespace MatchRace.StjGen;

/// <summary>The serialiser's code for notes, made while compiling.</summary>
[JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Serialization)]
[JsonSerializable(typeof(List<Note>))]
internal sealed partial class NoteContext : JsonSerializerContext;
