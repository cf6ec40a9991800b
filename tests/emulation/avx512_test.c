// avx512_test.c: the intrinsics that are emulated here and not by SIMDe, against values worked out
// by hand from the manual's pseudo code; and that loads and stores fault where the instruction
// does.
#include "avx512.h"

#include "guard_page.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// 64 bytes, each more than the one before by `step`.
static __m512i rising(uint8_t first, uint8_t step)
{
    uint8_t bytes[64];
    for (size_t i = 0; i < 64; i++) {
        bytes[i] = (uint8_t)(first + step * i);
    }
    __m512i vector;
    memcpy(&vector, bytes, sizeof vector);
    return vector;
}

static uint8_t byte_at(__m512i vector, size_t i)
{
    uint8_t bytes[64];
    memcpy(bytes, &vector, sizeof bytes);
    return bytes[i];
}

static uint32_t lane_at(__m512i vector, size_t i)
{
    uint32_t lanes[16];
    memcpy(lanes, &vector, sizeof lanes);
    return lanes[i];
}

static int64_t long_at(__m512i vector, size_t i)
{
    int64_t lanes[8];
    memcpy(lanes, &vector, sizeof lanes);
    return lanes[i];
}

static void compress_moves_down(void **state)
{
    (void)state;
    __m512i few = _mm512_maskz_compress_epi8(0x8000000000000028, rising(100, 1));
    assert_int_equal(byte_at(few, 0), 103);
    assert_int_equal(byte_at(few, 1), 105);
    assert_int_equal(byte_at(few, 2), 163);
    for (size_t i = 3; i < 64; i++) {
        assert_int_equal(byte_at(few, i), 0);
    }
    __m512i all = _mm512_maskz_compress_epi8(UINT64_MAX, rising(100, 1));
    __m512i none = _mm512_maskz_compress_epi8(0, rising(100, 1));
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(byte_at(all, i), 100 + i);
        assert_int_equal(byte_at(none, i), 0);
    }
}

static void expand_moves_up(void **state)
{
    (void)state;
    __m512i few = _mm512_mask_expand_epi8(_mm512_set1_epi8(7), 0x8000000000000028, rising(100, 1));
    for (size_t i = 0; i < 64; i++) {
        int expected = i == 3 ? 100 : i == 5 ? 101 : i == 63 ? 102 : 7;
        assert_int_equal(byte_at(few, i), expected);
    }
}

static void align_takes_the_low_one_first(void **state)
{
    (void)state;
    // Lanes: 0x03020100 … in the low one, 0x43424140 … in the high one.
    __m512i aligned = _mm512_alignr_epi32(rising(64, 1), rising(0, 1), 15);
    assert_int_equal(lane_at(aligned, 0), 0x3F3E3D3C);
    assert_int_equal(lane_at(aligned, 1), 0x43424140);
    assert_int_equal(lane_at(aligned, 15), 0x7B7A7978);
}

static void bytes_are_compared_with_their_sign_or_without(void **state)
{
    (void)state;
    // Bytes 0, 4, 8 … 252; 0x80 is byte 32.
    __m512i a = rising(0, 4);
    __m512i b = _mm512_set1_epi8(32);
    const uint64_t below = 0xFF; // bytes 0 to 7
    const uint64_t upper = 0xFFFFFFFF00000000;
    assert_true(_mm512_cmplt_epu8_mask(a, b) == below);
    assert_true(_mm512_cmple_epu8_mask(a, b) == 0x1FF);
    assert_true(_mm512_cmpgt_epu8_mask(a, b) == ~UINT64_C(0x1FF));
    assert_true(_mm512_cmplt_epi8_mask(a, b) == (upper | below));
    assert_true(_mm512_cmpneq_epi8_mask(a, b) == ~UINT64_C(0x100));
    assert_true(_mm512_mask_cmpneq_epi8_mask(0x301, a, b) == 0x201);
    assert_true(_mm512_mask_cmple_epu8_mask(0x303, a, b) == 0x103);
    assert_true(_mm512_movepi8_mask(a) == upper);
    // Bytes that have the bit 4: every other.
    const __m512i four = _mm512_set1_epi8(4);
    assert_true(_mm512_test_epi8_mask(a, four) == 0xAAAAAAAAAAAAAAAA);
    assert_true(_mm512_testn_epi8_mask(a, four) == 0x5555555555555555);
    assert_true(_mm512_mask_test_epi8_mask(0xF0, a, four) == 0xA0);
    assert_true(_mm512_mask_testn_epi8_mask(0xF0, a, four) == 0x50);
    assert_int_equal(_mm_cmpeq_epi8_mask(_mm512_castsi512_si128(a), _mm_set1_epi8(60)), 0x8000);
    assert_true(_kand_mask64(0xC, 0xA) == 0x8 && _kor_mask64(0xC, 0xA) == 0xE);
}

static void lanes_are_compared_without_sign(void **state)
{
    (void)state;
    __m512i a = _mm512_setr_epi64(INT64_MIN + 1, 0x7FFFFFFF00000000, 0, 0, 0, 0, 0, -1);
    assert_int_equal(_mm512_cmplt_epu32_mask(a, _mm512_set1_epi32(1)), 0x3FF4);
    assert_int_equal(_mm512_cmplt_epu32_mask(_mm512_set1_epi32(1), a), 0xC00A);
}

static void lanes_are_widened_with_zeros(void **state)
{
    (void)state;
    __m256i top = _mm512_castsi512_si256(rising(0xE0, 1));
    __m512i wide = _mm512_cvtepu8_epi16(top);
    assert_int_equal(lane_at(wide, 0), 0x00E100E0);
    assert_int_equal(lane_at(wide, 8), 0x00F100F0);
    assert_int_equal(lane_at(wide, 15), 0x00FF00FE);
    wide = _mm512_cvtepu16_epi32(top);
    assert_int_equal(lane_at(wide, 0), 0xE1E0);
    assert_int_equal(lane_at(wide, 8), 0xF1F0);
    assert_int_equal(lane_at(wide, 15), 0xFFFE);
}

static void doubles_are_cut(void **state)
{
    (void)state;
    const double from[8] = {1.9,
                            -1.9,
                            0x1p63,
                            -0x1p63,
                            __builtin_nan(""),
                            0x1.fffffffffffffp62,
                            -0.5,
                            -0x1.0000000000001p63};
    const int64_t to[8] = {1, -1,       INT64_MIN, INT64_MIN, INT64_MIN, 0x7FFFFFFFFFFFFC00,
                           0, INT64_MIN};
    __m512d doubles;
    memcpy(&doubles, from, sizeof doubles);
    __m512i cut = _mm512_cvttpd_epi64(doubles);
    for (size_t i = 0; i < 8; i++) {
        assert_true(long_at(cut, i) == to[i]);
    }
}

static void signs_are_shifted_in(void **state)
{
    (void)state;
    __m512i a = _mm512_set1_epi64(INT64_MIN);
    assert_true(long_at(_mm512_srai_epi64(a, 1), 3) == INT64_MIN / 2);
    assert_true(long_at(_mm512_srai_epi64(a, 63), 3) == -1);
    assert_true(long_at(_mm512_srai_epi64(a, 64), 3) == -1);
    assert_true(long_at(_mm512_srai_epi64(_mm512_set1_epi64(5), 1), 7) == 2);
}

// The signal that ends a process in which `use` is called, or 0.
static int signal_of(void (*use)(uint8_t *at), uint8_t *at)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL); // of sanitizers and cmocka
        (void)signal(SIGILL, SIG_DFL);
        use(at);
        _exit(0);
    }
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void load_for_one_byte(uint8_t *at)
{
    (void)(_mm512_cmpeq_epi8_mask(_mm512_loadu_si512(at), _mm512_setzero_si512()) & 1u << 31);
}

static void load_masked(uint8_t *at)
{
    (void)_mm512_maskz_loadu_epi8(0x7FFFFFFFFFFFFFFE, at);
}

static void load_one_masked(uint8_t *at)
{
    (void)_mm512_mask_loadu_epi8(_mm512_setzero_si512(), 1, at);
}

static void load_aligned(uint8_t *at)
{
    (void)_mm512_load_si512(at);
}

static void store_aligned(uint8_t *at)
{
    _mm512_store_si512(at, _mm512_setzero_si512());
}

// What the second store covers is there, what the first one needs is not.
static void store_twice(uint8_t *at)
{
    _mm512_storeu_si512(at + 1, _mm512_setzero_si512());
    _mm512_storeu_si512(at, _mm512_setzero_si512());
}

static void all_bytes_must_be_there(void **state)
{
    (void)state;
    struct mr_guarded guarded = mr_guarded_init(64);
    uint8_t *first = mr_guarded_first(&guarded, 64, 0);
    uint8_t *last = mr_guarded_last(&guarded, 64, 0);
    assert_int_equal(signal_of(load_for_one_byte, first), 0);
    assert_int_equal(signal_of(load_for_one_byte, first - 1), SIGSEGV);
    assert_int_equal(signal_of(load_for_one_byte, last), 0);
    assert_int_equal(signal_of(load_for_one_byte, last + 1), SIGSEGV);
    assert_int_equal(signal_of(store_twice, last - 1), 0);
    assert_int_equal(signal_of(store_twice, last), SIGSEGV);
    assert_int_equal(signal_of(store_twice, first - 1), SIGSEGV);
    mr_guarded_fini(&guarded);
}

static void what_the_mask_leaves_out_need_not_be_there(void **state)
{
    (void)state;
    struct mr_guarded guarded = mr_guarded_init(64);
    uint8_t *first = mr_guarded_first(&guarded, 64, 0);
    uint8_t *last = mr_guarded_last(&guarded, 64, 0);
    assert_int_equal(signal_of(load_masked, first - 1), 0);
    assert_int_equal(signal_of(load_masked, first - 2), SIGSEGV);
    assert_int_equal(signal_of(load_masked, last + 1), 0);
    assert_int_equal(signal_of(load_masked, last + 2), SIGSEGV);
    assert_int_equal(signal_of(load_one_masked, last + 63), 0);
    assert_int_equal(signal_of(load_one_masked, last + 64), SIGSEGV);
    mr_guarded_fini(&guarded);
}

static void aligned_means_aligned(void **state)
{
    (void)state;
    _Alignas(64) uint8_t memory[128] = {0};
    assert_int_equal(signal_of(load_aligned, memory), 0);
    assert_int_equal(signal_of(store_aligned, memory + 64), 0);
    assert_true(signal_of(load_aligned, memory + 32) != 0);
    assert_true(signal_of(store_aligned, memory + 32) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compress_moves_down),
        cmocka_unit_test(expand_moves_up),
        cmocka_unit_test(align_takes_the_low_one_first),
        cmocka_unit_test(bytes_are_compared_with_their_sign_or_without),
        cmocka_unit_test(lanes_are_compared_without_sign),
        cmocka_unit_test(lanes_are_widened_with_zeros),
        cmocka_unit_test(doubles_are_cut),
        cmocka_unit_test(signs_are_shifted_in),
        cmocka_unit_test(all_bytes_must_be_there),
        cmocka_unit_test(what_the_mask_leaves_out_need_not_be_there),
        cmocka_unit_test(aligned_means_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
