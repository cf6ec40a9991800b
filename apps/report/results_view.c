// results_view.c: see results_view.h.
#include "results_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

const char *mr_view_text(yyjson_val *object, const char *key)
{
    const char *text = yyjson_get_str(yyjson_obj_get(object, key));
    return text == NULL ? "" : text;
}

double mr_view_number(yyjson_val *object, const char *key)
{
    yyjson_val *value = yyjson_obj_get(object, key);
    return yyjson_is_num(value) ? yyjson_get_num(value) : NAN;
}

const char *mr_view_count(yyjson_val *object, const char *key, char text_out[24])
{
    yyjson_val *value = yyjson_obj_get(object, key);
    if (yyjson_is_uint(value)) {
        (void)snprintf(text_out, 24, "%" PRIu64, yyjson_get_uint(value));
    } else {
        (void)snprintf(text_out, 24, "–");
    }
    return text_out;
}

const char *mr_view_whole(yyjson_val *object, const char *key, char text_out[32])
{
    return mr_view_format(mr_view_number(object, key), 0, text_out);
}

// Before any other where `places` gives it a lower one.
static bool stands_before(yyjson_val *places, yyjson_val *one, yyjson_val *other)
{
    double place = mr_view_number(places, mr_view_text(one, "entry"));
    double beside = mr_view_number(places, mr_view_text(other, "entry"));
    return isfinite(place) && (!isfinite(beside) || place < beside);
}

yyjson_val *mr_view_entry_at(yyjson_val *cell, size_t rank)
{
    yyjson_val *places = yyjson_ptr_get(cell, "/places/of");
    yyjson_val *entries = yyjson_obj_get(cell, "entries");
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(entries, index, count, entry)
    {
        size_t before = 0;
        for (size_t i = 0; i < count; i++) {
            yyjson_val *other = yyjson_arr_get(entries, i);
            before += stands_before(places, other, entry) ||
                      (i < index && !stands_before(places, entry, other));
        }
        if (before == rank) {
            return entry;
        }
    }
    return NULL;
}

double mr_view_median(yyjson_val *entry, const char *name)
{
    return mr_view_number(yyjson_obj_get(yyjson_obj_get(entry, "metrics"), name), "median");
}

const char *mr_view_format(double value, int digits, char text_out[32])
{
    if (isfinite(value)) {
        (void)snprintf(text_out, 32, "%.*f", digits, value);
    } else {
        (void)snprintf(text_out, 32, "–");
    }
    return text_out;
}

void mr_view_escape(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_[]|#~!", *text) != NULL) {
            (void)fprintf(out, "\\%c", *text);
        } else if (*text == '<') {
            (void)fputs("&lt;", out);
        } else if (*text == '>') {
            (void)fputs("&gt;", out);
        } else if (*text == '&') {
            (void)fputs("&amp;", out);
        } else if ((unsigned char)*text < 0x20) {
            (void)fputc(' ', out);
        } else {
            (void)fputc(*text, out);
        }
    }
}

void mr_view_put(FILE *out, yyjson_val *object, const char *key)
{
    mr_view_escape(out, mr_view_text(object, key));
}

void mr_view_code(FILE *out, const char *text, size_t length_max)
{
    for (size_t i = 0; i < length_max && text[i] != '\0'; i++) {
        if (text[i] != '`' && text[i] != '|') {
            (void)fputc((unsigned char)text[i] < 0x20 ? ' ' : text[i], out);
        }
    }
}

// What follows from a verdict: a sentence around the two names, and whether figures carry it.
struct wording {
    const char *verdict;
    const char *before; // A
    const char *between;
    const char *after; // B
    bool with_ratio;
};

static const struct wording wordings[] = {
    {"faster", "", " is faster than ", "", true},
    {"slower", "", " is slower than ", "", true},
    {"faster_size_open", "", " is faster than ", ", by how much is open", true},
    {"slower_size_open", "", " is slower than ", ", by how much is open", true},
    {"same", "", " is as fast as ", ", within the margin", true},
    {"not_resolved", "not resolved: this run cannot tell ", " from ", "", true},
    {"void", "", " and ", " get no verdict: the controls of this run failed", false},
    {"below_control", "", " and ", " get no verdict: below what this campaign could see", true},
    {"wrong", "", " and ", " get no verdict: one of them was wrong", false},
    {"absent", "", " and ", " get no verdict: this machine cannot run one of them", false},
    {"no_pairs", "", " and ", " were not compared: no pair of trials counted", false},
    {"indicative", "", " beside ", ": indicative only, without verdict, for no core is spare here",
     true},
    {"none", "", " beside ", ", without verdict", true},
};

static const struct wording *find_wording(const char *verdict)
{
    const struct wording *found = &wordings[sizeof wordings / sizeof wordings[0] - 1];
    for (size_t i = 0; i < sizeof wordings / sizeof wordings[0]; i++) {
        if (strcmp(wordings[i].verdict, verdict) == 0) {
            found = &wordings[i];
        }
    }
    return found;
}

void mr_view_sentence(yyjson_val *cell, yyjson_val *comparison, char *text_out, size_t capacity)
{
    const struct wording *wording = find_wording(mr_view_text(comparison, "verdict"));
    int length = snprintf(text_out, capacity, "%s: %s%s%s%s%s", mr_view_text(cell, "name"),
                          wording->before, mr_view_text(comparison, "a"), wording->between,
                          mr_view_text(comparison, "b"), wording->after);
    if (length < 0 || (size_t)length >= capacity || !wording->with_ratio) {
        return;
    }
    char ratio[32];
    char low[32];
    char high[32];
    char confidence[32];
    (void)snprintf(text_out + length, capacity - (size_t)length,
                   " (speed ratio %s, %s %% interval %s to %s, %s pairs)",
                   mr_view_format(mr_view_number(comparison, "ratio"), 3, ratio),
                   mr_view_format(100 * mr_view_number(comparison, "confidence"), 1, confidence),
                   mr_view_format(mr_view_number(comparison, "ratio_low"), 3, low),
                   mr_view_format(mr_view_number(comparison, "ratio_high"), 3, high),
                   MR_VIEW_WHOLE(comparison, "pairs"));
}
