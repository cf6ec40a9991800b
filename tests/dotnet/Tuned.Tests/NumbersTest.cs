// NumbersTest.cs: the three numbers of a record by the AVX2 kernel, both forms: what is accepted, and every bit of it, as C
// has them.
using System;
using System.Runtime.Intrinsics;
using System.Text;

using MatchRace.Tuned.Avx2Kernel;

using Xunit;

namespace MatchRace.Tuned.Tests;

public sealed unsafe class NumbersTest
{
    private const string Pieces = "0123456789012345678900000000....eE+--";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void AsInC(bool isShort)
    {
        if (!RecordAvx2.IsSupported)
        {
            return;
        }
        using GuardedText text = new(4096);
        Random random = new(isShort ? 7 : 8);
        int accepted = 0;
        for (int turn = 0; turn < 400000; turn++)
        {
            string id = Integer(random, 1 + random.Next(20));
            string timestamp = isShort ? Integer(random, 16) : Integer(random, 1 + random.Next(20));
            accepted += Compare(text, id, timestamp, Value(random), isShort) ? 1 : 0;
        }
        Assert.True(accepted > 40000, $"only {accepted} were accepted");
    }

    private static string Integer(Random random, int digits)
    {
        StringBuilder number = new();
        while (number.Length < digits)
        {
            number.Append((char)('0' + random.Next(10)));
        }
        if (random.Next(40) == 0)
        {
            number[random.Next(digits)] = Pieces[random.Next(Pieces.Length)];
        }
        return number.ToString();
    }

    private static string Value(Random random)
    {
        StringBuilder number = new();
        if (random.Next(4) == 0)
        {
            // Anything.
            for (int length = 1 + random.Next(36); number.Length < length;)
            {
                number.Append(Pieces[random.Next(Pieces.Length)]);
            }
            return number.ToString();
        }
        number.Append(random.Next(3) == 0 ? "-" : "").Append(random.NextInt64((long)Math.Pow(10, random.Next(1, 17))));
        if (random.Next(3) > 0)
        {
            number.Append('.').Append(random.NextInt64((long)Math.Pow(10, random.Next(1, 17))));
        }
        if (random.Next(3) == 0)
        {
            number.Append("eE"[random.Next(2)]).Append(new[] { "", "-", "+" }[random.Next(3)]).Append(random.Next(30));
        }
        return number.ToString();
    }

    private static bool Compare(GuardedText text, string id, string timestamp, string value, bool isShort)
    {
        // As a record has them: what stands around may be looked at and changes nothing.
        string[] tokens = [id, timestamp, value];
        StringBuilder whole = new("{\"id\":");
        int[] begins = new int[3];
        for (int i = 0; i < 3; i++)
        {
            whole.Append(i == 1 ? ",\"timestamp\":" : i == 2 ? ",\"source\":\"a\",\"kind\":\"log\",\"value\":" : "");
            begins[i] = whole.Length;
            whole.Append(tokens[i]);
        }
        whole.Append(",\"flags\":[],\"message\":\"\"}");
        byte* at = text.Put(Encoding.ASCII.GetBytes(whole.ToString()), 0);
        byte** begin = stackalloc byte*[3];
        byte** end = stackalloc byte*[3];
        for (int i = 0; i < 3; i++)
        {
            begin[i] = at + begins[i];
            end[i] = begin[i] + tokens[i].Length;
        }
        byte* textEnd = at + whole.Length;
        Record theirs = default;
        Record ours = default;
        bool wanted = Parity.Numbers(begin, end, textEnd, isShort, &theirs);
        bool given = Read(begin, end, textEnd, isShort, &ours);
        Assert.True(wanted == given, $"{whole}: C says {wanted}, C# {given}");
        if (wanted)
        {
            Assert.True(
                (theirs.Id, theirs.TimestampUs, theirs.ValueBits) == (ours.Id, ours.TimestampUs, ours.ValueBits),
                $"{whole}: {theirs.Id} {theirs.TimestampUs} {theirs.ValueBits:x} in C, {ours.Id} {ours.TimestampUs} {ours.ValueBits:x} in C#");
        }
        return wanted;
    }

    private static bool Read(byte** begin, byte** end, byte* textEnd, bool isShort, Record* head)
    {
        byte* tables = Tables.Base;
        if (isShort && Numbers.ReadShort(
            tables, begin[0] - 6, 6, end[0], (nuint)(begin[1] - end[0]), begin[2] - 9, 9, end[2],
            out Vector256<ulong> numbers, out nuint dot))
        {
            Numbers.WriteShort(tables, numbers, dot, head);
            return true;
        }
        return Numbers.Read(
            tables, new(begin[0], end[0]), new(begin[1], end[1]), new(begin[2], end[2]), textEnd, head);
    }
}
