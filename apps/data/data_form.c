// data_form.c: see data_form.h.
#include "data_form.h"

#include "base/mr_assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const mr_form_spaces[] = {"compact", "spaced", "lines", NULL};

static const enum mr_space spaces[] = {MR_SPACE_NONE, MR_SPACE_DUMPED, MR_SPACE_LINES};

bool mr_form_space_by_name(const char *name, struct mr_form *form_io)
{
    for (size_t i = 0; mr_form_spaces[i] != NULL; i++) {
        if (strcmp(mr_form_spaces[i], name) == 0) {
            form_io->space = spaces[i];
            return true;
        }
    }
    return false;
}

const char *mr_form_space_name(const struct mr_form *form)
{
    size_t i = 0;
    while (spaces[i] != form->space) {
        i++;
        MR_ASSERT(i < sizeof spaces / sizeof spaces[0]);
    }
    return mr_form_spaces[i];
}

bool mr_form_is_plain(const struct mr_form *form)
{
    return !form->shuffled_keys && form->space == MR_SPACE_NONE && form->record_bytes == 0 &&
           form->messy_bp == 0 && form->escape_bp == 0 && form->non_ascii_bp == 0;
}

MR_PRINTF(3, 4) static void append(char *text_io, size_t capacity, const char *format, ...)
{
    size_t length = strlen(text_io);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text_io + length, capacity - length, format, arguments);
    va_end(arguments);
}

static void append_share(char *text_io, size_t capacity, const char *option, uint32_t share_bp)
{
    if (share_bp > 0) {
        append(text_io, capacity, " --%s %g%%", option, share_bp / 100.0);
    }
}

void mr_form_options(const struct mr_form *form, char *text_io, size_t capacity)
{
    if (form->shuffled_keys) {
        append(text_io, capacity, " --shuffled-keys");
    }
    if (form->space != MR_SPACE_NONE) {
        append(text_io, capacity, " --space %s", mr_form_space_name(form));
    }
    if (form->record_bytes > 0) {
        append(text_io, capacity, " --record-bytes %u", form->record_bytes);
    }
    append_share(text_io, capacity, "messy-share", form->messy_bp);
    append_share(text_io, capacity, "escape-share", form->escape_bp);
    append_share(text_io, capacity, "non-ascii-share", form->non_ascii_bp);
}
