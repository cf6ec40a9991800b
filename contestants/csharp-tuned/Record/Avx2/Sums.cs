// Sums.cs: avx2/sums.h: what records add to the totals, four at once: their heads as columns, a field a register.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

/// <summary>Four 64-bit elements each. Counts of kinds and flags are bytes, one for each code.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Sums
{
    // A byte may count so many eights: each adds two to it.
    private const uint EightsMax = 127;

    private Vector256<long> timestampMin;
    private Vector256<long> timestampMax;

    // As numbers that order them.
    private Vector256<long> valueMin;
    private Vector256<long> valueMax;

    // source_bytes + 2^16 · message_bytes.
    private Vector256<ulong> texts;
    private Vector256<ulong> messages;
    private Vector256<byte> kinds;
    private Vector256<byte> flags;
    private Vector256<ulong> kindsSeen;
    private ulong valueSum;
    private ulong eights;

    /// <summary>Empties the sums.</summary>
    public static void Begin(Sums* sums)
    {
        *sums = default;
        sums->timestampMin = Vector256.Create(long.MaxValue);
        sums->timestampMax = Vector256.Create(long.MinValue);
        sums->valueMin = Vector256.Create(long.MaxValue);
        sums->valueMax = Vector256.Create(long.MinValue);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Widen(Vector256<long>* min, Vector256<long>* max, Vector256<long> numbers)
    {
        Vector256<long> least = *min;
        Vector256<long> most = *max;
        *min = Avx2.BlendVariable(least, numbers, Avx2.CompareGreaterThan(least, numbers));
        *max = Avx2.BlendVariable(most, numbers, Avx2.CompareGreaterThan(numbers, most));
    }

    // Each product is exact and fits (docs/PROTOCOL.md, section 3).
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong ScaledSum(Vector256<long> bits)
    {
        Vector256<double> scaled = Avx.Multiply(bits.AsDouble(), Vector256.Create(1024.0));
        Vector128<double> low = scaled.GetLower();
        Vector128<double> high = Avx.ExtractVector128(scaled, 1);
        return (ulong)Sse2.X64.ConvertToInt64WithTruncation(low) + (ulong)Sse2.X64.ConvertToInt64WithTruncation(high) +
            (ulong)Sse2.X64.ConvertToInt64WithTruncation(Sse2.UnpackHigh(low, low)) +
            (ulong)Sse2.X64.ConvertToInt64WithTruncation(Sse2.UnpackHigh(high, high));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void AddValues(Sums* sums, Vector256<long> bits)
    {
        Vector256<long> negative = Avx2.CompareGreaterThan(Vector256<long>.Zero, bits);
        Widen(&sums->valueMin, &sums->valueMax, Avx2.Xor(bits, Avx2.ShiftRightLogical(negative, 1)));
        sums->valueSum += ScaledSum(bits);
    }

    // Of four heads kind, flags and lengths, which are one element each.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void AddSmallFields(Sums* sums, Vector256<ulong> small)
    {
        sums->texts = Avx2.Add(sums->texts, Avx2.ShiftRightLogical(small, 16));
        sums->messages = Avx2.Add(sums->messages, Avx2.ShiftRightLogical(small, 32));
        sums->kindsSeen = Avx2.Or(sums->kindsSeen, small);
        Vector256<ulong> kind = Avx2.And(Avx2.ShiftLeftLogical(small, 3), Vector256.Create(0x38UL));
        sums->kinds = Avx2.Add(sums->kinds, Avx2.ShiftLeftLogicalVariable(Vector256.Create(1UL), kind).AsByte());
        // Each of an element's bytes gets the flags and keeps one of them.
        Vector256<byte> everywhere = Vector256.Create(
            0x0101010101010101UL, 0x0909090909090909UL, 0x0101010101010101UL, 0x0909090909090909UL).AsByte();
        Vector256<byte> own = Vector256.Create(0x8040201008040201UL).AsByte();
        Vector256<byte> flag = Avx2.And(Avx2.Shuffle(small.AsByte(), everywhere), own);
        sums->flags = Avx2.Subtract(sums->flags, Avx2.CompareEqual(flag, own));
    }

    // Adds the records at the four places.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void AddFour(Sums* sums, byte** place)
    {
        Vector256<ulong> a = Block.Load32(place[0]).AsUInt64();
        Vector256<ulong> b = Block.Load32(place[1]).AsUInt64();
        Vector256<ulong> c = Block.Load32(place[2]).AsUInt64();
        Vector256<ulong> d = Block.Load32(place[3]).AsUInt64();
        Vector256<ulong> idValueFirst = Avx2.UnpackLow(a, b);
        Vector256<ulong> idValueSecond = Avx2.UnpackLow(c, d);
        Vector256<ulong> othersFirst = Avx2.UnpackHigh(a, b);
        Vector256<ulong> othersSecond = Avx2.UnpackHigh(c, d);
        Widen(
            &sums->timestampMin, &sums->timestampMax,
            Avx2.Permute2x128(othersFirst, othersSecond, 0x20).AsInt64());
        AddValues(sums, Avx2.Permute2x128(idValueFirst, idValueSecond, 0x31).AsInt64());
        AddSmallFields(sums, Avx2.Permute2x128(othersFirst, othersSecond, 0x31));
    }

    // Empties the counts of kinds and flags into `totals`.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void EmptyCounts(Sums* sums, Totals* totals)
    {
        for (int i = 0; i < 4; i++)
        {
            SumsColumns.AddByteCounts(totals->Kinds, sums->kinds.AsUInt64().GetElement(i));
            SumsColumns.AddByteCounts(totals->Flags, sums->flags.AsUInt64().GetElement(i));
        }
        sums->kinds = Vector256<byte>.Zero;
        sums->flags = Vector256<byte>.Zero;
    }

    /// <summary>As IKernel says.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Add(Sums* sums, byte** place, Totals* totals)
    {
        AddFour(sums, place);
        AddFour(sums, place + 4);
        sums->eights++;
        if (sums->eights % EightsMax == 0)
        {
            EmptyCounts(sums, totals);
        }
    }

    /// <summary>As IKernel says.</summary>
    public static void End(Sums* sums, SumsColumns* columns, Totals* totals)
    {
        EmptyCounts(sums, totals);
        *columns = default;
        columns->Values[0] = sums->valueSum;
        Avx.Store(columns->Least, sums->timestampMin);
        Avx.Store(columns->Least + 4, sums->valueMin);
        Avx.Store(columns->Most, sums->timestampMax);
        Avx.Store(columns->Most + 4, sums->valueMax);
        Avx.Store(columns->Texts, sums->texts);
        Avx.Store(columns->Messages, sums->messages);
        Avx.Store(columns->KindsSeen, sums->kindsSeen);
        SumsColumns.Write(columns, 8 * sums->eights, totals);
    }
}
