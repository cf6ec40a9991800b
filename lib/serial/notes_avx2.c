// notes_avx2.c: the kernel for AVX2: 32 bytes at a time, stored as they are; where some must not
// stay so, they are replaced and what stands behind is stored again.
//
// Texts end where they end: a block that is cut off is loaded by words whose lanes behind the end
// are masked, so that no byte is read that is not the text's.
#include "note_escape.h"
#include "notes_kernels.h"

#include <immintrin.h>
#include <string.h>

#define BLOCK_BYTES 32u

static const int32_t word_masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

// The `rest` < 32 bytes at `at`, zeros behind. Four bytes before at + rest must be readable.
static inline __m256i load_rest(const uint8_t *at, size_t rest)
{
    const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i mask = _mm256_loadu_si256((const __m256i *)(const void *)&word_masks[8 - rest / 4]);
    __m256i words = _mm256_maskload_epi32((const int *)(const void *)at, mask);
    uint32_t last;
    memcpy(&last, at + rest - 4, sizeof last);
    // The one to three bytes behind the last whole word, or none.
    uint64_t bytes = (uint64_t)last >> (32 - 8 * (rest % 4));
    __m256i place = _mm256_cmpeq_epi32(number, _mm256_set1_epi32((int)(rest / 4)));
    return _mm256_or_si256(words, _mm256_and_si256(place, _mm256_set1_epi32((int)bytes)));
}

static inline __m256i load(const uint8_t *at, size_t rest)
{
    return rest >= BLOCK_BYTES ? _mm256_loadu_si256((const __m256i *)(const void *)at)
                               : load_rest(at, rest);
}

static inline void store(uint8_t *out, __m256i block)
{
    _mm256_storeu_si256((__m256i *)(void *)out, block);
}

// Bits of the bytes that do not simply stay: those from 80h on, and those that are escaped.
static inline uint32_t find_required(__m256i block)
{
    __m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), block);
    __m256i quote = _mm256_cmpeq_epi8(block, _mm256_set1_epi8('"'));
    __m256i slash = _mm256_cmpeq_epi8(block, _mm256_set1_epi8('\\'));
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(low, _mm256_or_si256(quote, slash)));
}

// The same for `html`: a character is one of them where its two halves have a bit in common. The
// bits: 1 for 0_ and 1_, 2 for 2_, 4 for 3_, 8 for 5_, 16 for 6_, 32 for 7_.
static inline uint32_t find_html(__m256i block)
{
    const __m256i of_low = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        1 | 16, 1, 1 | 2, 1, 1, 1, 1 | 2, 1 | 2, 1, 1, 1, 1 | 2, 1 | 4 | 8, 1, 1 | 4, 1 | 32));
    const __m256i of_high = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(1, 1, 2, 4, 0, 8, 16, 32, 0, 0, 0, 0, 0, 0, 0, 0));
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(block, 4), _mm256_set1_epi8(15));
    __m256i common =
        _mm256_and_si256(_mm256_shuffle_epi8(of_low, block), _mm256_shuffle_epi8(of_high, high));
    __m256i stays = _mm256_cmpeq_epi8(common, _mm256_setzero_si256());
    return ~(uint32_t)_mm256_movemask_epi8(stays) | (uint32_t)_mm256_movemask_epi8(block);
}

// Where the writing of a text stands.
struct place {
    const uint8_t *at;
    uint8_t *out;
};

// Replaces what `odd` marks of the block at `place`, which is stored already, and goes on behind
// the block, or behind the sequence that reaches out of it. False: no UTF-8.
static inline bool replace(struct place *place, const uint8_t *end, uint32_t odd, bool is_html,
                           const uint64_t *escapes)
{
    const uint8_t *at = place->at;
    uint8_t *out = place->out;
    size_t rest = (size_t)(end - at);
    size_t block = rest < BLOCK_BYTES ? rest : BLOCK_BYTES;
    size_t done = 0;
    do {
        size_t next = (size_t)__builtin_ctz(odd);
        out += next - done;
        size_t taken = 1;
        if (at[next] < 0x80) {
            uint64_t escape = escapes[at[next]];
            memcpy(out, &escape, sizeof escape);
            out += escape >> MR_ESCAPE_LENGTH_SHIFT;
            store(out, load(at + next + 1, rest - next - 1));
        } else {
            uint32_t scalar = 0;
            taken = mr_decode(at + next, end, &scalar);
            if (taken == 0) {
                return false;
            }
            if (is_html) {
                out += mr_escape_scalar("0123456789ABCDEF", scalar, out);
                store(out, load(at + next + taken, rest - next - taken));
            } else {
                memcpy(out, at + next, taken); // all of it, where it reaches out of the block
                out += taken;
            }
        }
        done = next + taken;
        odd = done < BLOCK_BYTES ? odd & ~0u << done : 0;
    } while (odd != 0);
    if (done < block) {
        out += block - done;
        done = block;
    }
    place->at = at + done;
    place->out = out;
    return true;
}

// A text of less than four bytes: load_rest() would reach in front of it.
static bool put_short(struct place *place, const uint8_t *end, bool is_html,
                      const uint64_t *escapes)
{
    const uint8_t *at = place->at;
    uint8_t *out = place->out;
    while (at < end) {
        uint32_t scalar = 0;
        size_t taken = *at < 0x80 ? 1 : mr_decode(at, end, &scalar);
        if (taken == 0) {
            return false;
        }
        if (*at < 0x80) {
            memcpy(out, &escapes[*at], sizeof escapes[0]);
            out += escapes[*at] >> MR_ESCAPE_LENGTH_SHIFT;
        } else if (is_html) {
            out += mr_escape_scalar("0123456789ABCDEF", scalar, out);
        } else {
            memcpy(out, at, taken);
            out += taken;
        }
        at += taken;
    }
    place->out = out;
    return true;
}

// A text; returns where it ends in the output, NULL where it is no UTF-8.
static inline uint8_t *put_text(const uint8_t *text, size_t bytes, uint8_t *out, bool is_html,
                                const uint64_t *escapes)
{
    struct place place = {.at = text, .out = out};
    if (bytes < 4) {
        // `text` of none may be NULL, to which C adds nothing, not even 0.
        return bytes == 0 || put_short(&place, text + bytes, is_html, escapes) ? place.out : NULL;
    }
    const uint8_t *end = text + bytes;
    while (place.at < end) {
        size_t rest = (size_t)(end - place.at);
        __m256i block = load(place.at, rest);
        uint32_t odd = is_html ? find_html(block) : find_required(block);
        if (rest < BLOCK_BYTES) {
            odd &= (1u << rest) - 1;
        }
        store(place.out, block);
        if (odd != 0) {
            if (!replace(&place, end, odd, is_html, escapes)) {
                return NULL;
            }
            continue;
        }
        size_t taken = rest < BLOCK_BYTES ? rest : BLOCK_BYTES;
        place.at += taken;
        place.out += taken;
    }
    return place.out;
}

// The text of a frame is at most 16 bytes long and stored as that many.
static inline uint8_t *put_frame(uint8_t *out, const char frame[17], size_t length)
{
    memcpy(out, frame, 16);
    return out + length;
}

static const char two_digits[201] = "0001020304050607080910111213141516171819"
                                    "2021222324252627282930313233343536373839"
                                    "4041424344454647484950515253545556575859"
                                    "6061626364656667686970717273747576777879"
                                    "8081828384858687888990919293949596979899";

static inline uint8_t *put_id(int32_t id, uint8_t *out)
{
    if (id < 0) {
        return out + mr_notes_put_id(id, out);
    }
    uint8_t digits[10];
    size_t first = sizeof digits;
    uint32_t left = (uint32_t)id;
    while (left >= 100) {
        first -= 2;
        memcpy(digits + first, two_digits + 2 * (left % 100), 2);
        left /= 100;
    }
    if (left >= 10) {
        first -= 2;
        memcpy(digits + first, two_digits + 2 * left, 2);
    } else {
        digits[--first] = (uint8_t)('0' + left);
    }
    memcpy(out, digits + first, sizeof digits - first);
    return out + (sizeof digits - first);
}

// A note with what stands before it; NULL where a text is no UTF-8.
static inline uint8_t *put_note(const struct mr_note *note, bool is_first, uint8_t *out,
                                bool is_html, const uint64_t *escapes)
{
    *out = is_first ? '[' : ',';
    out = put_frame(out + 1, "{\"Id\":          ", 6);
    out = put_id(note->id, out);
    out = put_frame(out, ",\"Title\":\"      ", 10);
    out = put_text(note->title, note->title_bytes, out, is_html, escapes);
    if (out == NULL) {
        return NULL;
    }
    out = put_frame(out, "\",\"NoteText\":\"  ", 14);
    out = put_text(note->text, note->text_bytes, out, is_html, escapes);
    return out == NULL ? NULL : put_frame(out, "\"}              ", 2);
}

static inline size_t write_notes(struct mr_notes_cursor *cursor, uint8_t *out, size_t capacity,
                                 bool is_html)
{
    const uint64_t *escapes = mr_note_escapes[cursor->profile];
    const uint8_t *begin = out;
    while (cursor->note < cursor->count) {
        const struct mr_note *note = &cursor->notes[cursor->note];
        size_t room = capacity - (size_t)(out - begin);
        if (room < mr_note_bound(note) + MR_KERNEL_SLACK) {
            break;
        }
        uint8_t *behind = put_note(note, cursor->note == 0, out, is_html, escapes);
        if (behind == NULL) {
            break;
        }
        out = behind;
        cursor->note++;
    }
    cursor->part = cursor->note < cursor->count ? MR_PART_HEAD : MR_PART_END;
    return (size_t)(out - begin);
}

size_t mr_notes_avx2(struct mr_notes_cursor *cursor, uint8_t *out, size_t capacity)
{
    return cursor->profile == MR_NOTES_HTML ? write_notes(cursor, out, capacity, true)
                                            : write_notes(cursor, out, capacity, false);
}

size_t mr_widen_avx2(const uint8_t *bytes, size_t count, uint16_t *out)
{
    const uint16_t *begin = out;
    size_t i = 0;
    while (count - i >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
        uint32_t high = (uint32_t)_mm_movemask_epi8(block);
        _mm256_storeu_si256((__m256i *)(void *)out, _mm256_cvtepu8_epi16(block));
        if (high == 0) {
            i += 16;
            out += 16;
            continue;
        }
        size_t ascii = (size_t)__builtin_ctz(high);
        uint32_t scalar = 0;
        i += ascii + mr_decode(bytes + i + ascii, bytes + count, &scalar);
        out += ascii;
        if (scalar < 0x10000) {
            *out++ = (uint16_t)scalar;
        } else {
            *out++ = (uint16_t)(0xD800 + ((scalar - 0x10000) >> 10));
            *out++ = (uint16_t)(0xDC00 + (scalar & 0x3FF));
        }
    }
    return (size_t)(out - begin) + mr_widen_scalar(bytes + i, count - i, out);
}
