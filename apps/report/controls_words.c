// controls_words.c: see controls_words.h.
#include "controls_words.h"

#include "results_view.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NO_CONTROLS "unavailable: this matrix asks for no controls"

static bool is_a(yyjson_val *control, const char *kind)
{
    return strcmp(mr_view_text(control, "is"), kind) == 0;
}

static bool came_to(yyjson_val *control, const char *outcome)
{
    return strcmp(mr_view_text(control, "outcome"), outcome) == 0;
}

// The smallest dose above `above`; NAN: there is none.
static double next_dose(yyjson_val *controls, double above)
{
    double next = NAN;
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(controls, "of"), index, count, one)
    {
        double planted = mr_view_number(one, "planted");
        if (planted > above && !(planted >= next)) {
            next = planted;
        }
    }
    return next;
}

// "2 % found beside 1 of 2 contestants", for each dose.
static void write_doses(struct mr_text *text, yyjson_val *controls)
{
    double dose = 0;
    for (size_t written = 0; !isnan(dose = next_dose(controls, dose)); written++) {
        size_t found = 0;
        size_t ran = 0;
        size_t index;
        size_t count;
        yyjson_val *one;
        yyjson_arr_foreach(yyjson_obj_get(controls, "of"), index, count, one)
        {
            if (mr_view_number(one, "planted") == dose && !came_to(one, "not_run")) {
                found += came_to(one, "found");
                ran++;
            }
        }
        mr_text_printf(text, "%s%g %% found beside %zu of %zu", written == 0 ? "" : ", ",
                       100 * dose, found, ran);
    }
}

const char *mr_controls_sensitivity(yyjson_val *controls, char text_out[MR_CONTROLS_WORDS_BYTES])
{
    struct mr_text text = mr_text_init(text_out, MR_CONTROLS_WORDS_BYTES);
    double smallest = mr_view_number(controls, "smallest_found");
    double from = mr_view_number(controls, "claims_from");
    if (!yyjson_is_obj(controls)) {
        mr_text_printf(&text, NO_CONTROLS);
    } else if (!yyjson_is_true(yyjson_obj_get(controls, "doses_ran"))) {
        mr_text_printf(&text, "unavailable: no dose of a known size ran to its end");
    } else {
        mr_text_printf(&text, isnan(smallest) ? "not even the largest dose was found (" : "%g %% (",
                       100 * smallest);
        write_doses(&text, controls);
        mr_text_printf(&text, " contestants), by %s in the cell \"%s\". ",
                       mr_view_text(controls, "metric"), mr_view_text(controls, "like"));
        if (isnan(from)) {
            mr_text_printf(&text, "No difference gets a verdict");
        } else {
            mr_text_printf(&text, "A claim of less than %.1f %% gets no verdict", 100 * from);
        }
        if (!yyjson_is_true(yyjson_obj_get(controls, "finished"))) {
            mr_text_printf(&text,
                           "; the controls did not run to their end yet, and until they have "
                           "nothing does");
        }
    }
    return text_out;
}

// How many controls of this kind ran, and how many of them came to `outcome`.
static size_t count_ran(yyjson_val *controls, const char *kind, const char *outcome,
                        size_t *ran_out)
{
    size_t index;
    size_t count;
    size_t found = 0;
    yyjson_val *one;
    *ran_out = 0;
    yyjson_arr_foreach(yyjson_obj_get(controls, "of"), index, count, one)
    {
        if (is_a(one, kind) && !came_to(one, "not_run")) {
            (*ran_out)++;
            found += came_to(one, outcome);
        }
    }
    return found;
}

const char *mr_controls_noise(yyjson_val *controls, char text_out[MR_CONTROLS_WORDS_BYTES])
{
    struct mr_text text = mr_text_init(text_out, MR_CONTROLS_WORDS_BYTES);
    size_t twins;
    size_t orders;
    size_t differ = count_ran(controls, "twin", "differs", &twins);
    size_t same = count_ran(controls, "object_order", "same", &orders);
    double floor = mr_view_number(controls, "noise_floor");
    if (!yyjson_is_obj(controls)) {
        mr_text_printf(&text, NO_CONTROLS);
    } else if (twins == 0) {
        mr_text_printf(&text, "unavailable: no twins ran");
    } else if (isnan(floor)) {
        mr_text_printf(&text, "unavailable: too few pairs of twins");
    } else {
        mr_text_printf(&text,
                       "%.1f %%, the largest bound of an interval between twins, by %s in the cell "
                       "\"%s\"",
                       100 * floor, mr_view_text(controls, "metric"),
                       mr_view_text(controls, "like"));
    }
    if (twins > 0) {
        mr_text_printf(&text, "; %zu of %zu equal pairs called different", differ, twins);
    }
    if (orders > 0) {
        mr_text_printf(&text, "; one program linked in two object orders: %s",
                       same == orders ? "the same" : "not shown to be the same");
    }
    return text_out;
}

const char *mr_controls_lies(yyjson_val *controls, char text_out[MR_CONTROLS_WORDS_BYTES])
{
    struct mr_text text = mr_text_init(text_out, MR_CONTROLS_WORDS_BYTES);
    double told = mr_view_number(controls, "lies_told");
    if (!(told > 0)) {
        mr_text_printf(&text, "none told");
    } else {
        mr_text_printf(&text, "%.0f of %.0f caught", mr_view_number(controls, "lies_caught"), told);
    }
    return text_out;
}

const char *mr_controls_void(yyjson_val *controls, char text_out[MR_CONTROLS_WORDS_BYTES])
{
    struct mr_text text = mr_text_init(text_out, MR_CONTROLS_WORDS_BYTES);
    size_t index;
    size_t count;
    yyjson_val *one;
    size_t written = 0;
    yyjson_arr_foreach(yyjson_obj_get(controls, "of"), index, count, one)
    {
        bool believed = came_to(one, "believed");
        if (!believed && !came_to(one, "differs")) {
            continue;
        }
        mr_text_printf(&text, "%s%s ", written++ == 0 ? "No verdict of this run stands: " : "; ",
                       mr_view_text(one, "contestant"));
        if (believed) {
            mr_text_printf(&text, "told a planted lie and was believed");
        } else {
            mr_text_printf(&text, "and %s differ (speed ratio %.3f, interval %.3f to %.3f)",
                           is_a(one, "twin") ? "its identical twin"
                                             : "the same program in another object order",
                           mr_view_number(one, "ratio"), mr_view_number(one, "ratio_low"),
                           mr_view_number(one, "ratio_high"));
        }
    }
    mr_text_printf(&text, written > 0
                              ? ". What is not the contestants' own doing is larger here than "
                                "what they are compared by."
                              : "");
    return text_out;
}

bool mr_control_is_liar(yyjson_val *controls, const char *entry)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    bool is_liar = false;
    yyjson_arr_foreach(yyjson_obj_get(controls, "of"), index, count, one)
    {
        is_liar |= is_a(one, "liar") && strcmp(mr_view_text(one, "entry"), entry) == 0;
    }
    return is_liar;
}

const char *mr_control_kind(yyjson_val *control, char text_out[64])
{
    if (is_a(control, "dose")) {
        (void)snprintf(text_out, 64, "%g %% more work", 100 * mr_view_number(control, "planted"));
    } else {
        (void)snprintf(text_out, 64, "%s",
                       is_a(control, "twin")   ? "identical twin"
                       : is_a(control, "liar") ? "liar"
                                               : "another object order");
    }
    return text_out;
}

const char *mr_control_outcome(yyjson_val *control)
{
    static const char *const words[][2] = {
        {"not_run", "did not run"},
        {"not_distinguished", "not told from it, as it must be"},
        {"differs", "called different: the table is void"},
        {"found", "found"},
        {"not_found", "not found"},
        {"off_size", "its CPU time is not that of its dose: it counts for nothing"},
        {"caught", "caught"},
        {"believed", "believed: the table is void"},
        {"same", "the same"},
        {"not_resolved", "not shown to be the same"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (came_to(control, words[i][0])) {
            return words[i][1];
        }
    }
    return "unknown";
}
