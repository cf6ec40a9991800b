using System.Globalization;
using System.Text;

namespace MatchRace.Common;

/// <summary>Writes JSON by hand, so that no contestant loads a JSON library which it does not race with.</summary>
internal static class JsonText
{
    public static void AddString(StringBuilder text, string? value)
    {
        if (value is null)
        {
            _ = text.Append("null");
            return;
        }
        _ = text.Append('"');
        foreach (char character in value)
        {
            _ = character is '"' or '\\' ? text.Append('\\').Append(character)
                : character < 0x20       ? text.Append(CultureInfo.InvariantCulture, $"\\u{(int)character:x4}")
                                         : text.Append(character);
        }
        _ = text.Append('"');
    }

    public static void AddMember(StringBuilder text, string key, string? value)
    {
        AddString(text, key);
        _ = text.Append(':');
        AddString(text, value);
        _ = text.Append(',');
    }
}
