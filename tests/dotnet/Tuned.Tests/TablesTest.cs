// TablesTest.cs: the tables that C# makes at start are those that C makes while building, byte for byte; structs that
// cross the border lie alike.
using System;
using System.Runtime.InteropServices;
using MatchRace.Tuned.Support;
using Xunit;

namespace MatchRace.Tuned.Tests;

public sealed unsafe class TablesTest
{
    public TablesTest() => Foreign.Load();

    [Theory]
    [InlineData("mr_key_table", Tables.KeyTableAt)]
    [InlineData("mr_kind_table", Tables.KindTableAt)]
    [InlineData("mr_flag_table", Tables.FlagTableAt)]
    [InlineData("mr_stream_templates", Tables.StreamTemplatesAt)]
    [InlineData("mr_record_styles", Tables.RecordStylesAt)]
    [InlineData("mr_all", Tables.AllAt)]
    [InlineData("mr_key_literals", Tables.KeyLiteralsAt)]
    [InlineData("mr_key_literals_multiplier", Tables.KeyLiteralsMultiplierAt)]
    [InlineData("mr_set_bits", Tables.SetBitsAt)]
    [InlineData("mr_powers_of_five", Tables.PowersOfFiveAt)]
    [InlineData("XXH3_kSecret", Tables.SecretAt)]
    [InlineData("mr_key_words", Tables.KeyWordsAt + 256)]
    [InlineData("mr_kind_words", Tables.KindWordsAt + 256)]
    [InlineData("mr_flag_words", Tables.FlagWordsAt + 256)]
    public void IsTheTableOfC(string name, int offset)
    {
        ReadOnlySpan<byte> expected = Foreign.Table(name);
        Assert.True(expected.SequenceEqual(new ReadOnlySpan<byte>(Tables.Base + offset, expected.Length)), name);
    }

    [Fact]
    public void TablesDoNotOverlap()
    {
        (int At, int Bytes)[] tables =
        [
            (Tables.KeyTableAt, sizeof(WordTable)), (Tables.KindTableAt, sizeof(WordTable)),
            (Tables.FlagTableAt, sizeof(WordTable)), (Tables.StreamTemplatesAt, 9 * sizeof(StreamTemplate)),
            (Tables.RecordStylesAt, 4 * sizeof(RecordStyle)), (Tables.AllAt, 8 * 32),
            (Tables.KeyLiteralsAt, 2 * KeyLiteral.Slots * sizeof(KeyLiteral)), (Tables.KeyLiteralsMultiplierAt, 4),
            (Tables.SetBitsAt, 2048),
            (Tables.PowersOfFiveAt, (PowerTable.Max - PowerTable.Min + 1) * sizeof(Power)),
            (Tables.PowersOfTenAt, 23 * sizeof(double)), (Tables.KeyWordsAt, sizeof(WordSet)),
            (Tables.KindWordsAt, sizeof(WordSet)), (Tables.FlagWordsAt, sizeof(WordSet)), (Tables.EscapeLettersAt, 256),
            (Tables.HexDigitsAt, 256), (Tables.SecretAt, Xxh3.SecretBytes), (Tables.VectorsAt, Tables.VectorsBytes),
            (Tables.TotalBytes, 0),
        ];
        for (int i = 0; i < tables.Length - 1; i++)
        {
            Assert.Equal(0, tables[i].At % 64);
            Assert.True(tables[i].At + tables[i].Bytes <= tables[i + 1].At, $"table {i}");
        }
    }

    [Fact]
    public void StructsLieAsInC()
    {
        uint* expected = stackalloc uint[32];
        nuint count = Foreign.Layout(expected);
        Record record;
        Result result;
        Totals totals;
        Scratch* scratch = (Scratch*)NativeMemory.AlignedAlloc((nuint)sizeof(Scratch), Scratch.Alignment);
        long begin = (long)scratch;
        long[] got =
        [
            sizeof(Record), (byte*)&record.MessageBytes - (byte*)&record,
            sizeof(Result), (byte*)&result.ErrorOffset - (byte*)&result, (byte*)&result.Totals - (byte*)&result,
            sizeof(Totals), (byte*)&totals.ValueSum - (byte*)&totals,
            sizeof(Scratch), (long)scratch->Position - begin, (long)scratch->Copy - begin, (long)scratch->Keep - begin, (long)scratch->Digits - begin,
            (long)scratch->UnitAt - begin, (long)scratch->UnitText - begin, (long)scratch->Marks - begin, (long)scratch->Marked - begin,
            (long)Scratch.OutsideOf(scratch) - begin, (long)scratch->BeyondAscii - begin, (long)scratch->Escaped - begin,
            (long)scratch->Touched - begin, (long)scratch->EscapedBlocks - begin,
            sizeof(WordSlot), sizeof(RecordStyle),
        ];
        NativeMemory.AlignedFree(scratch);
        Assert.Equal(Array.ConvertAll(got, value => (uint)value), new ReadOnlySpan<uint>(expected, (int)count).ToArray());
    }
}
