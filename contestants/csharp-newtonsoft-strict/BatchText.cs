using System;
using System.IO;

namespace MatchRace.NewtonsoftStrict;

/// <summary>
/// A batch's text for a reader that counts places from the last line's start: carriage returns and line feeds become blanks
/// on the way, so that there is one line and its places are those of the text.
/// </summary>
internal sealed class BatchText(char[] text, int length) : TextReader
{
    private readonly bool _hasLines = text.AsSpan(0, length).ContainsAny('\r', '\n');
    private int _at;

    public override int Read(char[] buffer, int index, int count)
    {
        int taken = Math.Min(count, length - _at);
        Span<char> to = buffer.AsSpan(index, taken);
        text.AsSpan(_at, taken).CopyTo(to);
        _at += taken;
        if (_hasLines)
        {
            to.Replace('\r', ' ');
            to.Replace('\n', ' ');
        }
        return taken;
    }
}
