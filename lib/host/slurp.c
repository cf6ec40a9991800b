// slurp.c: see slurp.h.
#define _GNU_SOURCE
#include "slurp.h"

#include "proc_text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES 4096
#define LIMIT_BYTES ((size_t)64 << 20)

static int grow(char **text, size_t *capacity)
{
    size_t wanted = *capacity == 0 ? FIRST_BYTES : 2 * *capacity;
    if (wanted > LIMIT_BYTES) {
        return -EFBIG;
    }
    char *grown = realloc(*text, wanted);
    if (grown == NULL) {
        return -ENOMEM;
    }
    *text = grown;
    *capacity = wanted;
    return 0;
}

static int read_to_end(int fd, char **text)
{
    size_t capacity = 0;
    size_t length = 0;
    for (;;) {
        if (length + 1 >= capacity) {
            int grown = grow(text, &capacity);
            if (grown != 0) {
                return grown;
            }
        }
        ssize_t got = read(fd, *text + length, capacity - length - 1);
        if (got == 0) {
            (*text)[length] = '\0';
            return 0;
        }
        if (got < 0 && errno != EINTR) {
            return -errno;
        }
        length += got > 0 ? (size_t)got : 0;
    }
}

static int slurp_path(const char *path, char **text_out)
{
    *text_out = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    int result = read_to_end(fd, text_out);
    (void)close(fd);
    if (result != 0) {
        free(*text_out);
        *text_out = NULL;
    }
    return result;
}

// Whether what vsnprintf() returned is the length of a path that fitted.
static bool is_path(int length)
{
    return length >= 0 && length < PATH_MAX;
}

int mr_slurp(char **text_out, const char *format, ...)
{
    char path[PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    *text_out = NULL;
    return is_path(length) ? slurp_path(path, text_out) : -ENAMETOOLONG;
}

struct mr_reading mr_slurp_number(const char *format, ...)
{
    char path[PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    char *text = NULL;
    uint64_t number = 0;
    bool known = false;
    if (is_path(length) && slurp_path(path, &text) == 0) {
        const char *at = text;
        known = mr_proc_number(&at, &number);
    }
    free(text);
    return known ? mr_reading_of(number) : (struct mr_reading){0};
}

struct mr_reading_text mr_reading_text_of(const char *text)
{
    struct mr_reading_text reading = {.known = text != NULL};
    (void)snprintf(reading.text, sizeof reading.text, "%s", text == NULL ? "unavailable" : text);
    return reading;
}

struct mr_reading_text mr_slurp_line(const char *format, ...)
{
    char path[PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    char *text = NULL;
    if (is_path(length) && slurp_path(path, &text) != 0) {
        text = NULL;
    }
    bool known = text != NULL && text[0] != '\0' && text[0] != '\n';
    if (known) {
        text[strcspn(text, "\n")] = '\0';
    }
    struct mr_reading_text line = mr_reading_text_of(known ? text : NULL);
    free(text);
    return line;
}
