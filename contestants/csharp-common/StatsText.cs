using System;
using System.Globalization;
using System.Text;

namespace MatchRace.Common;

/// <summary>The payloads of STATS_REPLY and KEPT_REPLY: every scalar is 16 hexadecimal digits, or null.</summary>
internal static class StatsText
{
    public static byte[] Stats(in Totals totals, RuntimeFigures figures)
    {
        StringBuilder text = new(2048);
        _ = text.Append("{\"totals\":{");
        Add(text, "batches_accepted", totals.BatchesAccepted);
        Add(text, "batches_rejected", totals.BatchesRejected);
        Add(text, "records", totals.Records);
        Add(text, "payload_bytes", totals.PayloadBytes);
        Add(text, "digest", totals.Digest);
        AddArray(text, "kinds", totals.Kinds);
        AddArray(text, "flags", totals.Flags);
        Add(text, "source_bytes", totals.SourceBytes);
        Add(text, "message_bytes", totals.MessageBytes);
        bool isSome = totals.Records > 0;
        Add(text, "timestamp_min", isSome ? totals.TimestampMin : null);
        Add(text, "timestamp_max", isSome ? totals.TimestampMax : null);
        Add(text, "value_min", isSome ? totals.ValueMinBits : null);
        Add(text, "value_max", isSome ? totals.ValueMaxBits : null);
        Add(text, "value_sum", totals.ValueSum);
        text.Length--;
        _ = text.Append("},\"runtime\":{");
        figures.AddTo(text);
        return Encoding.UTF8.GetBytes(text.Append("}}").ToString());
    }

    public static byte[] Kept(in Kept kept)
    {
        StringBuilder text = new("{", 128);
        Add(text, "batches", kept.Batches);
        Add(text, "records", kept.Records);
        Add(text, "digest", kept.Digest);
        text.Length--;
        return Encoding.UTF8.GetBytes(text.Append('}').ToString());
    }

    public static void Add(StringBuilder text, string key, ulong? value)
    {
        _ = text.Append(CultureInfo.InvariantCulture, $"\"{key}\":");
        AddNumber(text, value);
        _ = text.Append(',');
    }

    public static void AddArray(StringBuilder text, string key, ReadOnlySpan<ulong> values)
    {
        _ = text.Append(CultureInfo.InvariantCulture, $"\"{key}\":[");
        for (int i = 0; i < values.Length; i++)
        {
            _ = i > 0 ? text.Append(',') : text;
            AddNumber(text, values[i]);
        }
        _ = text.Append("],");
    }

    public static void AddNumber(StringBuilder text, ulong? value) =>
        _ = value is ulong number ? text.Append(CultureInfo.InvariantCulture, $"\"{number:x16}\"") : text.Append("null");
}
