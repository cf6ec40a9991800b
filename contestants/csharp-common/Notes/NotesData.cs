using System.Collections.Generic;
using System.Text;

namespace MatchRace.Common;

/// <summary>The notes of docs/SERIAL.md: seeded texts, and their sixteen variants.</summary>
internal sealed class NotesData
{
    public const int Variants = 16;

    private const string Plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .";
    private const int SymbolsADraw = 10;

    private static readonly string[] s_special =
    [
        "\"", "\\", "\n", "\t", "\u0001", "\u00E9", "\U0001F600", "<", "&", "+", "'", "\u6F22", "\r", "\u001F", "/", "\u007F",
    ];

    private readonly bool _isMixed;
    private readonly StringBuilder _text = new();
    private ulong _state;
    private int _variant;

    public NotesData(int count, bool isMixed, ulong seed)
    {
        (_isMixed, _state) = (isMixed, seed);
        Notes = new List<Note>(count);
        for (int i = 1; i <= count; i++)
        {
            string title = DrawText(12 + (int)(Draw() % 17));
            Notes.Add(new Note { Id = i, Title = title, NoteText = DrawText(60 + (int)(Draw() % 81)) });
        }
    }

    /// <summary>The notes as the variant set last has them.</summary>
    public List<Note> Notes { get; }

    /// <summary>Turns the notes into a variant of the original.</summary>
    public void SetVariant(int variant)
    {
        Exchange(_variant);
        Exchange(variant);
        _variant = variant;
        if (Notes.Count > 0)
        {
            Notes[0].Id = 1 + variant;
        }
    }

    // SplitMix64.
    private ulong Draw()
    {
        _state += 0x9E3779B97F4A7C15;
        ulong z = _state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    private string DrawText(int symbols)
    {
        _ = _text.Clear();
        ulong word = 0;
        for (int i = 0; i < symbols; i++)
        {
            word = i % SymbolsADraw == 0 ? Draw() : word;
            int code = (int)(word & 63);
            word >>= 6;
            _ = _isMixed && code < 4 ? _text.Append(s_special[(4 * (int)(word & 3)) + code]) : _text.Append(Plain[code]);
        }
        return _text.ToString();
    }

    // Its own inverse.
    private void Exchange(int variant)
    {
        if (variant > 0 && Notes.Count > variant)
        {
            Note one = Notes[variant];
            Note other = Notes[Notes.Count - variant - 1];
            (one.NoteText, other.NoteText) = (other.NoteText, one.NoteText);
        }
    }
}
