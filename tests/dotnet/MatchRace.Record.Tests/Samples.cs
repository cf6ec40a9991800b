using System.Globalization;
using System.Text;

namespace MatchRace.Record.Tests;

// Texts with known answers.
internal static class Samples
{
    // The worked example of docs/PROTOCOL.md, sections 1 and 2.
    public const string Example =
        """[{"id":5942859575,"timestamp":1764054335349840,"source":"sensor-1186","kind":"event","value":-268.6222,"flags":["urgent"],"message":"india delta alpha bravo"}]""";

    public const ulong ExampleDigest = 0x954a84d7a74fbbb4;

    public static byte[] ExampleBytes => Encoding.UTF8.GetBytes(Example);

    public static string Record(string id = "7", string timestamp = "1", string source = "\"s\"", string kind = "\"log\"",
                                string value = "1.5", string flags = "[]", string message = "\"\"") =>
        $$"""{"id":{{id}},"timestamp":{{timestamp}},"source":{{source}},"kind":{{kind}},"value":{{value}},"flags":{{flags}},"message":{{message}}}""";

    public static byte[] Batch(params string[] records) => Encoding.UTF8.GetBytes($"[{string.Join(',', records)}]");

    // `count` different records.
    public static byte[] Many(int count)
    {
        string[] records = new string[count];
        for (int i = 0; i < count; i++)
        {
            string number = i.ToString(CultureInfo.InvariantCulture);
            records[i] = Record(id: number, source: $"\"unit-{number}\"", message: $"\"word \\u00e9 {number}\"");
        }
        return Batch(records);
    }

    // The text between rims full of what would be read if anybody looked at it.
    public static byte[] Rimmed(byte[] json)
    {
        byte[] memory = new byte[json.Length + 2 * PaddedJson.PadBytes];
        for (int i = 0; i < memory.Length; i++)
        {
            memory[i] = (byte)"\"\\[{,}]9"[i % 8];
        }
        json.CopyTo(memory, PaddedJson.PadBytes);
        return memory;
    }

    public static PaddedJson Padded(byte[] rimmed) =>
        new(rimmed, PaddedJson.PadBytes, rimmed.Length - 2 * PaddedJson.PadBytes);
}
