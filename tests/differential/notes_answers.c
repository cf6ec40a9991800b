// notes_answers.c: answers questions of notes_agree.py: one line each in and out.
//
// In: kernel, profile, "utf8" or "utf16", then id, title and text of each note, texts as
// hexadecimal bytes behind a '-'. Out: "written HEX" or "fault NOTE IN_TEXT OFFSET".
#define _GNU_SOURCE
#include "base/mr_assert.h"

#include <matchrace/notes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTES_MAX 64

static unsigned hex_value(char digit)
{
    return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a' + 10);
}

// "-" and hexadecimal digits; the bytes are the caller's to free.
static uint8_t *read_text(const char *word, uint32_t *bytes_out)
{
    MR_ASSERT(word != NULL && word[0] == '-');
    size_t bytes = strlen(word + 1) / 2;
    uint8_t *text = malloc(bytes + (bytes == 0));
    MR_ASSERT(text != NULL);
    for (size_t i = 0; i < bytes; i++) {
        text[i] = (uint8_t)(hex_value(word[1 + 2 * i]) << 4 | hex_value(word[2 + 2 * i]));
    }
    *bytes_out = (uint32_t)bytes;
    return text;
}

static size_t read_notes(struct mr_note *notes)
{
    size_t count = 0;
    const char *word;
    while ((word = strtok(NULL, " \n")) != NULL) {
        MR_ASSERT(count < NOTES_MAX);
        struct mr_note *note = &notes[count++];
        note->id = (int32_t)strtol(word, NULL, 10);
        note->title = read_text(strtok(NULL, " \n"), &note->title_bytes);
        note->text = read_text(strtok(NULL, " \n"), &note->text_bytes);
    }
    return count;
}

static enum mr_notes_profile profile_of(const char *name)
{
    int profile = 0;
    while (strcmp(mr_notes_profile_name(profile), name) != 0) {
        profile++;
        MR_ASSERT(profile < MR_NOTES_PROFILE_COUNT);
    }
    return (enum mr_notes_profile)profile;
}

static void answer(const struct mr_notes_job *job, bool is_utf16)
{
    size_t unit_bytes = is_utf16 ? 2 : 1;
    size_t capacity = mr_notes_bound(job->notes, job->count);
    uint8_t *out = malloc(capacity * unit_bytes);
    MR_ASSERT(out != NULL);
    struct mr_notes_result result;
    enum mr_notes_verdict verdict =
        is_utf16 ? mr_notes_write_utf16(job, (uint16_t *)(void *)out, capacity, &result)
                 : mr_notes_write(job, out, capacity, &result);
    MR_ASSERT(verdict != MR_NOTES_SHORT_BUFFER);
    if (verdict == MR_NOTES_NOT_UTF8) {
        printf("fault %zu %d %u\n", result.note, result.in_text, result.offset);
    } else {
        printf("written ");
        for (size_t i = 0; i < result.length * unit_bytes; i++) {
            printf("%02x", out[i]);
        }
        printf("\n");
    }
    free(out);
}

int main(void)
{
    char *line = NULL;
    size_t line_bytes = 0;
    while (getline(&line, &line_bytes, stdin) > 0) {
        struct mr_note notes[NOTES_MAX];
        struct mr_notes_job job = {.notes = notes};
        if (mr_notes_kernel_choose(strtok(line, " \n"), &job.kernel) != 0) {
            printf("absent\n");
            continue;
        }
        job.profile = profile_of(strtok(NULL, " \n"));
        bool is_utf16 = strcmp(strtok(NULL, " \n"), "utf16") == 0;
        job.count = read_notes(notes);
        answer(&job, is_utf16);
        for (size_t i = 0; i < job.count; i++) {
            free((void *)(uintptr_t)notes[i].title);
            free((void *)(uintptr_t)notes[i].text);
        }
    }
    free(line);
    return 0;
}
