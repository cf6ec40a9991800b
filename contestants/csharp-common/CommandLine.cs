using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace MatchRace.Common;

/// <summary>Wrong usage: one line for people.</summary>
internal sealed class UsageException(string message) : Exception(message);

/// <summary>One option of a command. Take is null for a flag, whose Set is called instead.</summary>
internal sealed record Option(string Name, string? Argument, string Help, Func<string, bool>? Take, Action? Set = null,
                              string Limits = "");

/// <summary>
/// A command's options, its --help, and what is wrong with a command line; the same rules and words as lib/base/cli.
/// </summary>
internal sealed class CommandLine(string name, string summary, IReadOnlyList<Option> options, string notes, string examples)
{
    /// <summary>Reads all words. False: --help was asked for and printed.</summary>
    /// <exception cref="UsageException">Wrong usage.</exception>
    public bool Read(ReadOnlySpan<string> words)
    {
        for (int at = 0; at < words.Length; at++)
        {
            string word = words[at];
            if (word is "--help" or "-h")
            {
                StandardOutput.Write(Help());
                return false;
            }
            if (!word.StartsWith("--", StringComparison.Ordinal))
            {
                string what = word.StartsWith('-') ? "unknown option" : "one word too many:";
                throw new UsageException($"{what} '{word}' (see {name} --help)");
            }
            at += TakeOption(word, at + 1 < words.Length ? words[at + 1] : null);
        }
        return true;
    }

    public static bool TakeChoice(string word, IReadOnlyList<string> choices, Action<int> set)
    {
        int index = choices.ToList().IndexOf(word);
        if (index >= 0)
        {
            set(index);
        }
        return index >= 0;
    }

    public static bool TakeCount(string word, long min, long max, Action<long> set)
    {
        bool isNumber = long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out long value);
        if (isNumber && value >= min && value <= max)
        {
            set(value);
            return true;
        }
        return false;
    }

    /// <summary>Bytes: a number, or one with KiB, MiB or GiB behind it; it may have a fraction.</summary>
    public static bool TakeBytes(string word, long max, Action<long> set)
    {
        (string suffix, double factor)[] units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)];
        (string suffix, double factor) = units.First(unit => word.EndsWith(unit.suffix, StringComparison.Ordinal));
        string digits = word[..^suffix.Length];
        bool isNumber = double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number);
        double value = Math.Round(number * factor);
        if (!isNumber || !char.IsAsciiDigit(digits[0]) || value < 1 || value > max)
        {
            return false;
        }
        set((long)value);
        return true;
    }

    // Returns the number of further words that it took.
    private int TakeOption(string word, string? next)
    {
        int equals = word.IndexOf('=', StringComparison.Ordinal);
        string optionName = equals < 0 ? word[2..] : word[2..equals];
        Option option = options.FirstOrDefault(one => one.Name == optionName) ??
                        throw new UsageException($"unknown option '{word}' (see {name} --help)");
        if (option.Take is null)
        {
            if (equals >= 0)
            {
                throw new UsageException($"this option takes no value: '{word}' (see {name} --help)");
            }
            option.Set!();
            return 0;
        }
        string value = equals >= 0 ? word[(equals + 1)..]
                                   : next ?? throw new UsageException($"this option needs a value: '{word}' (see {name} --help)");
        if (!option.Take(value))
        {
            throw new UsageException(
                $"--{option.Name} takes {option.Argument}{option.Limits}; not '{value}' (see {name} --help)");
        }
        return equals >= 0 ? 0 : 1;
    }

    private string Help()
    {
        StringBuilder text = new();
        _ = text.Append(CultureInfo.InvariantCulture, $"{name}: {summary}\n\nUsage: {name} [OPTIONS]\n\nOptions:\n");
        foreach (Option option in options)
        {
            string left = option.Argument is null ? $"--{option.Name}" : $"--{option.Name} {option.Argument}";
            _ = text.Append(CultureInfo.InvariantCulture, $"  {left,-26} {option.Help}\n");
        }
        _ = text.Append(CultureInfo.InvariantCulture, $"  {"--help",-26} This page.\n\n{notes}\nExamples:\n{examples}");
        return text.ToString();
    }
}
