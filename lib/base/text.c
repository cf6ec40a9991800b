// text.c: see text.h.
#include "text.h"

#include "mr_assert.h"

#include <stdarg.h>
#include <stdio.h>

struct mr_text mr_text_init(char *bytes, size_t capacity)
{
    MR_ASSERT(bytes != NULL && capacity >= 1);
    bytes[0] = '\0';
    return (struct mr_text){.bytes = bytes, .capacity = capacity};
}

void mr_text_printf(struct mr_text *text, const char *format, ...)
{
    size_t room = text->capacity - text->length;
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(text->bytes + text->length, room, format, arguments);
    va_end(arguments);
    MR_ASSERT(wanted >= 0);
    if ((size_t)wanted >= room) {
        text->cut = true;
        text->length = text->capacity - 1;
    } else {
        text->length += (size_t)wanted;
    }
}

void mr_text_json_string(struct mr_text *text, const char *string)
{
    mr_text_printf(text, "\"");
    for (const char *at = string; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"' || byte == '\\') {
            mr_text_printf(text, "\\%c", byte);
        } else if (byte < 0x20) {
            mr_text_printf(text, "\\u%04x", byte);
        } else {
            mr_text_printf(text, "%c", byte);
        }
    }
    mr_text_printf(text, "\"");
}
