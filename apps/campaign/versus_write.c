// versus_write.c: see versus_write.h.
#define _GNU_SOURCE
#include "versus_write.h"

#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void mr_versus_xml_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '<' || byte == '>' || byte == '&' || byte == '"') {
            (void)fprintf(out, "&#%d;", byte);
        } else if (byte < ' ' && byte != '\n' && byte != '\t') {
            (void)fputc('?', out);
        } else {
            (void)fputc(byte, out);
        }
    }
}

static void write_markdown(FILE *out, const struct mr_versus_words *words)
{
    (void)fprintf(out, "### Speed: %s\n\n%s\n\n%s", words->outcome, words->headline, words->table);
    (void)fprintf(out, "Base: `%s`; change: `%s`. Again: `%s`\n", words->base, words->change,
                  words->reproduce);
}

static void write_junit(FILE *out, const struct mr_versus_words *words)
{
    bool failed = strcmp(words->outcome, "failed") == 0;
    bool open = strcmp(words->outcome, "not resolved") == 0;
    (void)fprintf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuite name=\"matchrace versus\" tests=\"1\" failures=\"%d\" errors=\"0\" "
                  "skipped=\"%d\">\n  <testcase classname=\"matchrace\" name=\"",
                  failed, open);
    mr_versus_xml_text(out, words->change);
    (void)fprintf(out, " against ");
    mr_versus_xml_text(out, words->base);
    (void)fprintf(out, "\">\n");
    if (failed || open) {
        (void)fprintf(out, "    <%s message=\"", failed ? "failure" : "skipped");
        mr_versus_xml_text(out, words->headline);
        (void)fprintf(out, "\"/>\n");
    }
    (void)fprintf(out, "    <system-out>");
    mr_versus_xml_text(out, words->headline);
    (void)fprintf(out, "</system-out>\n  </testcase>\n</testsuite>\n");
}

static int write_one(const char *folder, const char *name,
                     void (*write)(FILE *, const struct mr_versus_words *),
                     const struct mr_versus_words *words)
{
    char path[PATH_MAX];
    char *bytes = NULL;
    size_t size = 0;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = open_memstream(&bytes, &size);
    if (out == NULL || length < 0 || (size_t)length >= sizeof path) {
        return out == NULL ? -ENOMEM : -ENAMETOOLONG;
    }
    write(out, words);
    int result = fclose(out) == 0 ? mr_file_write(path, bytes, size) : -ENOMEM;
    free(bytes);
    return result;
}

int mr_versus_write(const char *folder, const struct mr_versus_words *words)
{
    int result = write_one(folder, "versus.md", write_markdown, words);
    return result == 0 ? write_one(folder, "versus.xml", write_junit, words) : result;
}
