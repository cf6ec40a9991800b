// notes_write.c: the choice of a kernel, and a text from its parts: the kernel as far as its room
// reaches, the specification for the rest; see include/matchrace/notes.h.
#include "notes_kernels.h"

#include "base/cpu.h"
#include "base/mr_assert.h"

#include <errno.h>
#include <string.h>

#define SCRATCH_BYTES 8192u

static bool is_supported(const struct mr_notes_kernel *kernel)
{
    return (kernel->features & ~mr_cpu_features()) == 0;
}

int mr_notes_kernel_choose(const char *name, const struct mr_notes_kernel **kernel_out)
{
    for (size_t i = mr_notes_kernels_count; i-- > 0;) {
        const struct mr_notes_kernel *kernel = &mr_notes_kernels[i];
        if (name == NULL ? is_supported(kernel) : strcmp(kernel->name, name) == 0) {
            *kernel_out = kernel;
            return is_supported(kernel) ? 0 : -ENOTSUP;
        }
    }
    return -ENOENT;
}

const char *mr_notes_kernel_name(const struct mr_notes_kernel *kernel)
{
    return kernel->name;
}

const struct mr_notes_kernel *mr_notes_kernel_by_index(size_t index)
{
    return index < mr_notes_kernels_count ? &mr_notes_kernels[index] : NULL;
}

size_t mr_notes_bound(const struct mr_note *notes, size_t count)
{
    size_t bound = 2 + MR_KERNEL_SLACK;
    for (size_t i = 0; i < count; i++) {
        if (__builtin_add_overflow(bound, mr_note_bound(&notes[i]), &bound)) {
            return SIZE_MAX;
        }
    }
    return bound;
}

// As much of the text as fits, up to the last whole piece.
static size_t fill(const struct mr_notes_kernel *kernel, struct mr_notes_cursor *cursor,
                   uint8_t *out, size_t capacity)
{
    size_t length = 0;
    size_t added;
    do {
        if (kernel->write != NULL && cursor->part == MR_PART_HEAD) {
            length += kernel->write(cursor, out + length, capacity - length);
        }
        added = mr_notes_scalar(cursor, out + length, capacity - length);
        length += added;
    } while (added > 0 && cursor->part == MR_PART_HEAD);
    return length;
}

static enum mr_notes_verdict end(const struct mr_notes_cursor *cursor, size_t length, bool fits,
                                 struct mr_notes_result *result_out)
{
    *result_out = (struct mr_notes_result){.length = length};
    if (cursor->is_faulty) {
        *result_out = (struct mr_notes_result){
            .verdict = MR_NOTES_NOT_UTF8,
            .note = cursor->note,
            .in_text = cursor->part == MR_PART_TEXT,
            .offset = cursor->offset,
        };
    } else if (!fits) {
        result_out->verdict = MR_NOTES_SHORT_BUFFER;
    }
    return result_out->verdict;
}

static bool is_going_on(const struct mr_notes_cursor *cursor)
{
    return cursor->part != MR_PART_NONE && !cursor->is_faulty;
}

enum mr_notes_verdict mr_notes_write(const struct mr_notes_job *job, void *buffer, size_t capacity,
                                     struct mr_notes_result *result_out)
{
    MR_ASSERT(job->kernel != NULL && (buffer != NULL || capacity == 0));
    struct mr_notes_cursor cursor = mr_notes_cursor_init(job);
    uint8_t scratch[SCRATCH_BYTES];
    // No byte of nothing: a pointer that may be added to and copied to.
    uint8_t *out = capacity == 0 ? scratch : buffer;
    size_t length = fill(job->kernel, &cursor, out, capacity);
    bool fits = cursor.part == MR_PART_NONE;
    while (is_going_on(&cursor)) {
        length += fill(job->kernel, &cursor, scratch, sizeof scratch);
    }
    return end(&cursor, length, fits, result_out);
}

// Where units go; `fits` stays false once some did not: from then on they are only counted.
struct target {
    uint16_t *buffer;
    size_t capacity;
    size_t length;
    bool fits;
};

static void widen(const struct mr_notes_kernel *kernel, const uint8_t *bytes, size_t count,
                  struct target *target)
{
    size_t room = target->fits ? target->capacity - target->length : 0;
    if (kernel->widen != NULL && room >= count) {
        target->length += kernel->widen(bytes, count, target->buffer + target->length);
        return;
    }
    size_t units = mr_widened_units(bytes, count);
    target->fits = target->fits && units <= room;
    if (target->fits && units > 0) {
        (void)mr_widen_scalar(bytes, count, target->buffer + target->length);
    }
    target->length += units;
}

enum mr_notes_verdict mr_notes_write_utf16(const struct mr_notes_job *job, uint16_t *buffer,
                                           size_t capacity, struct mr_notes_result *result_out)
{
    MR_ASSERT(job->kernel != NULL && (buffer != NULL || capacity == 0));
    struct mr_notes_cursor cursor = mr_notes_cursor_init(job);
    struct target target = {.buffer = buffer, .capacity = capacity, .fits = true};
    uint8_t scratch[SCRATCH_BYTES];
    while (is_going_on(&cursor)) {
        size_t count = fill(job->kernel, &cursor, scratch, sizeof scratch);
        widen(job->kernel, scratch, count, &target);
    }
    return end(&cursor, target.length, target.fits, result_out);
}
