// Tables.cs: every table of the parser in one block of native memory, at constant offsets from one base. The base goes
// from method to method as a parameter: a static pointer would become a ten-byte constant at every use.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>Made once, by the rules of lib/record/gen_*.c; never freed. Offsets are multiples of 64.</summary>
internal static unsafe class Tables
{
    public const int KeyTableAt = 0;
    public const int KindTableAt = KeyTableAt + 448;
    public const int FlagTableAt = KindTableAt + 448;
    public const int StreamTemplatesAt = FlagTableAt + 448;
    public const int RecordStylesAt = StreamTemplatesAt + 704;
    public const int AllAt = RecordStylesAt + 1152;
    public const int KeyLiteralsAt = AllAt + 256;
    public const int KeyLiteralsMultiplierAt = KeyLiteralsAt + 576;
    public const int SetBitsAt = KeyLiteralsMultiplierAt + 64;
    public const int PowersOfFiveAt = SetBitsAt + 2048;
    public const int PowersOfTenAt = PowersOfFiveAt + 10432;
    public const int KeyWordsAt = PowersOfTenAt + 192;
    public const int KindWordsAt = KeyWordsAt + 576;
    public const int FlagWordsAt = KindWordsAt + 576;
    public const int EscapeLettersAt = FlagWordsAt + 576;
    public const int HexDigitsAt = EscapeLettersAt + 256;
    public const int SwarAt = HexDigitsAt + 256;
    public const int SecretAt = SwarAt + 64;

    /// <summary>Room for constants of the vector kernels, filled by VectorTables.</summary>
    public const int VectorsAt = SecretAt + 192 + 64;
    public const int VectorsBytes = 8192;
    public const int TotalBytes = VectorsAt + VectorsBytes;

    private const nuint Alignment = 4096;

    /// <summary>The base; aligned to 4096.</summary>
    public static readonly byte* Base = Make();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static WordTable* KeyTable(byte* tables) => (WordTable*)(tables + KeyTableAt);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static WordTable* KindTable(byte* tables) => (WordTable*)(tables + KindTableAt);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static WordTable* FlagTable(byte* tables) => (WordTable*)(tables + FlagTableAt);

    /// <summary>Template f is for f flags, 0 to 8.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static StreamTemplate* StreamTemplates(byte* tables) => (StreamTemplate*)(tables + StreamTemplatesAt);

    /// <summary>By colon blanks + 2 · comma blanks.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RecordStyle* RecordStyles(byte* tables) => (RecordStyle*)(tables + RecordStylesAt);

    /// <summary>Rows of 32 equal bytes, by <see cref="AllBytes"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* All(byte* tables, AllBytes row) => tables + AllAt + 32 * (int)row;

    /// <summary>Without a blank behind the colon, then with one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static KeyLiteral* KeyLiterals(byte* tables) => (KeyLiteral*)(tables + KeyLiteralsAt);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint* KeyLiteralsMultiplier(byte* tables) => (uint*)(tables + KeyLiteralsMultiplierAt);

    /// <summary>256 rows of 8: the set bits of a byte, as indexes of a shuffle.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* SetBits(byte* tables) => tables + SetBitsAt;

    /// <summary>Entry q - PowerTable.Min is for 5^q.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Power* PowersOfFive(byte* tables) => (Power*)(tables + PowersOfFiveAt);

    /// <summary>1e0 to 1e22.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double* PowersOfTen(byte* tables) => (double*)(tables + PowersOfTenAt);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static WordSet* KeyWords(byte* tables) => (WordSet*)(tables + KeyWordsAt);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static WordSet* KindWords(byte* tables) => (WordSet*)(tables + KindWordsAt);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static WordSet* FlagWords(byte* tables) => (WordSet*)(tables + FlagWordsAt);

    private static byte* Make()
    {
        byte* tables = (byte*)NativeMemory.AlignedAlloc(TotalBytes, Alignment);
        NativeMemory.Clear(tables, TotalBytes);
        SchemaTables.Fill(tables);
        SetBitsTable.Fill(SetBits(tables));
        PowerTable.Fill(PowersOfFive(tables));
        DoubleFromDecimal.FillPowersOfTen(PowersOfTen(tables));
        Words.Fill(KeyWords(tables), Words.Keys);
        Words.Fill(KindWords(tables), Words.Kinds);
        Words.Fill(FlagWords(tables), Words.Flags);
        ScanString.FillEscapes(tables + EscapeLettersAt, tables + HexDigitsAt);
        Swar.FillBytes((ulong*)(tables + SwarAt));
        Xxh3.FillSecret(tables + SecretAt);
        VectorTables.Fill(tables);
        return tables;
    }
}
