// notes_fuzz.c: any bytes as notes through every kernel of the notes writer; ends the program when
// one of them is wrong. The first bytes say where texts begin and end, the others are their
// content.
#include "notes_checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_BYTES_MAX ((size_t)8192)
#define NOTES_MAX       8u

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

// A text of its own, as large as it is: sanitizers see the byte behind.
static uint8_t *take(const uint8_t **at, const uint8_t *end, size_t bytes, uint32_t *bytes_out)
{
    size_t rest = (size_t)(end - *at);
    size_t taken = bytes < rest ? bytes : rest;
    uint8_t *text = malloc(taken);
    if (taken > 0 && text != NULL) {
        memcpy(text, *at, taken);
    }
    *at += taken;
    *bytes_out = (uint32_t)taken;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct mr_notes_checker checker;
    if (checker.out.bytes == NULL) {
        checker = mr_notes_checker_init();
    }
    if (count < 1 + 3 * NOTES_MAX || count > INPUT_BYTES_MAX) {
        return -1; // not worth keeping
    }
    size_t notes_count = bytes[0] % (NOTES_MAX + 1);
    const uint8_t *at = bytes + 1 + 3 * NOTES_MAX;
    struct mr_note notes[NOTES_MAX];
    for (size_t i = 0; i < notes_count; i++) {
        const uint8_t *sizes = bytes + 1 + 3 * i;
        notes[i].id = (int32_t)((uint32_t)sizes[2] * 0x01010101u);
        notes[i].title = take(&at, bytes + count, sizes[0] % 64, &notes[i].title_bytes);
        notes[i].text = take(&at, bytes + count, sizes[1], &notes[i].text_bytes);
    }
    const char *complaint = mr_notes_check(&checker, notes, notes_count);
    for (size_t i = 0; i < notes_count; i++) {
        free((void *)(uintptr_t)notes[i].title);
        free((void *)(uintptr_t)notes[i].text);
    }
    if (complaint != NULL) {
        (void)fprintf(stderr, "DIFFERENCE: %s\n", complaint);
        abort();
    }
    return 0;
}
