// html_out.c: see html_out.h.
#include "html_out.h"

#include "results_view.h"

#include "base/mr_assert.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void mr_html_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            (void)fputs("&amp;", out);
            break;
        case '<':
            (void)fputs("&lt;", out);
            break;
        case '>':
            (void)fputs("&gt;", out);
            break;
        case '"':
            (void)fputs("&quot;", out);
            break;
        case '\'':
            (void)fputs("&#39;", out);
            break;
        default:
            (void)fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, out);
        }
    }
}

void mr_html_put(FILE *out, yyjson_val *object, const char *key)
{
    mr_html_text(out, mr_view_text(object, key));
}

void mr_html(FILE *out, const char *markup, ...)
{
    va_list arguments;
    va_start(arguments, markup);
    for (; *markup != '\0'; markup++) {
        if (*markup != '%') {
            (void)fputc(*markup, out);
        } else if (markup[1] == 's') {
            mr_html_text(out, va_arg(arguments, const char *));
            markup++;
        } else if (markup[1] == 'z' && markup[2] == 'u') {
            (void)fprintf(out, "%zu", va_arg(arguments, size_t));
            markup += 2;
        } else {
            MR_ASSERT(markup[1] == '%');
            (void)fputc('%', out);
            markup++;
        }
    }
    va_end(arguments);
}

static void write_number(FILE *out, const char *metric, double value, int digits)
{
    char text[32];
    mr_html(out, "<td class=\"n\"");
    if (metric != NULL) {
        mr_html(out, " data-m=\"%s\"", metric);
    }
    if (isfinite(value)) {
        (void)fprintf(out, " data-v=\"%.9g\"", value);
    }
    mr_html(out, ">%s</td>", mr_view_format(value, digits, text));
}

void mr_html_number(FILE *out, double value, int digits)
{
    write_number(out, NULL, value, digits);
}

void mr_html_figure(FILE *out, const char *metric, double value, int digits)
{
    write_number(out, metric, value, digits);
}

void mr_html_json(FILE *out, const char *json)
{
    for (; *json != '\0'; json++) {
        // Outside of its strings JSON has none of these.
        if (*json == '<' || *json == '>' || *json == '&') {
            (void)fprintf(out, "\\u%04x", (unsigned)*json);
        } else {
            (void)fputc(*json, out);
        }
    }
}
