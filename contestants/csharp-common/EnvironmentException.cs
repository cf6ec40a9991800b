using System;

namespace MatchRace.Common;

/// <summary>The environment doesn't allow it: one line for people, exit code 1.</summary>
internal sealed class EnvironmentException(string message) : Exception(message);
