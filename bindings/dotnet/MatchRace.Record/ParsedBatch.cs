namespace MatchRace.Record;

/// <summary>What was parsed into memory of the caller's.</summary>
/// <param name="Count">Records.</param>
/// <param name="UsedBytes">Bytes that they take, each with its padding to a multiple of 8.</param>
/// <param name="Digest">Sum of their digests, mod 2^64.</param>
/// <param name="HasTotals">Whether the kernel made <see cref="BatchParser.LastTotals"/> on its way.</param>
public readonly record struct ParsedBatch(int Count, int UsedBytes, ulong Digest, bool HasTotals);
