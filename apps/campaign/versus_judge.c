// versus_judge.c: see versus_judge.h.
#include "versus_judge.h"

#include "base/cli.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double number(yyjson_val *object, const char *key)
{
    yyjson_val *value = yyjson_obj_get(object, key);
    return yyjson_is_num(value) ? yyjson_get_num(value) : NAN;
}

static size_t count(yyjson_val *object, const char *key)
{
    return (size_t)yyjson_get_uint(yyjson_obj_get(object, key));
}

static yyjson_val *find_comparison(yyjson_val *cell, const char *a)
{
    size_t index;
    size_t length;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(cell, "comparisons"), index, length, one)
    {
        if (yyjson_equals_str(yyjson_obj_get(one, "a"), a) &&
            yyjson_equals_str(yyjson_obj_get(one, "b"), MR_VERSUS_BASE)) {
            return one;
        }
    }
    return NULL;
}

static struct mr_versus_ratio read_ratio(yyjson_val *comparison)
{
    return (struct mr_versus_ratio){.pairs = count(comparison, "pairs"),
                                    .ratio = number(comparison, "ratio"),
                                    .low = number(comparison, "ratio_low"),
                                    .high = number(comparison, "ratio_high"),
                                    .confidence = number(comparison, "confidence")};
}

// Whoever was wrong, or could not run.
static bool find_failure(yyjson_val *cell, struct mr_versus *versus)
{
    size_t index;
    size_t length;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, length, entry)
    {
        const char *name = yyjson_get_str(yyjson_obj_get(entry, "entry"));
        yyjson_val *wrong = yyjson_obj_get(entry, "wrong");
        yyjson_val *absent = yyjson_obj_get(entry, "absent");
        if (!yyjson_is_str(wrong) && !yyjson_is_str(absent)) {
            continue;
        }
        versus->answer = yyjson_is_str(wrong) ? MR_VERSUS_WRONG : MR_VERSUS_INCOMPLETE;
        (void)snprintf(versus->why, sizeof versus->why, "%s: %s", name == NULL ? "?" : name,
                       yyjson_get_str(yyjson_is_str(wrong) ? wrong : absent));
        return true;
    }
    return false;
}

// Whether the generator was the limit in most trials of an entry: a slower build need not show.
static bool is_generator_bound(yyjson_val *cell)
{
    size_t index;
    size_t length;
    yyjson_val *entry;
    bool bound = false;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, length, entry)
    {
        yyjson_val *gate = yyjson_ptr_get(entry, "/gates/generator_kept_up");
        bound |= count(gate, "failed") > count(gate, "passed");
    }
    return bound;
}

static enum mr_versus_answer judge_ratio(const struct mr_versus *versus)
{
    const struct mr_versus_ratio *twin = &versus->twin;
    const struct mr_versus_ratio *change = &versus->change;
    double limit = 1 / (1 + versus->margin);
    if (isnan(change->low) || isnan(change->high) || isnan(twin->low) || isnan(twin->high)) {
        return MR_VERSUS_NOT_RESOLVED;
    }
    if (twin->low > 1 || twin->high < 1) {
        return MR_VERSUS_VOID;
    }
    return change->low > limit    ? MR_VERSUS_PASSED
           : change->high < limit ? MR_VERSUS_SLOWER
                                  : MR_VERSUS_NOT_RESOLVED;
}

int mr_versus_judge(yyjson_val *results, struct mr_versus *versus_out)
{
    yyjson_val *cell = yyjson_arr_get_first(yyjson_obj_get(results, "cells"));
    yyjson_val *change = find_comparison(cell, MR_VERSUS_CHANGE);
    yyjson_val *twin = find_comparison(cell, MR_VERSUS_TWIN);
    double margin = number(yyjson_obj_get(results, "rules"), "margin");
    *versus_out = (struct mr_versus){.answer = MR_VERSUS_INCOMPLETE};
    if (change == NULL || twin == NULL || !(margin > 0)) {
        return -EBADMSG;
    }
    versus_out->margin = margin;
    versus_out->change = read_ratio(change);
    versus_out->twin = read_ratio(twin);
    versus_out->rows_planned = count(cell, "rows_planned");
    versus_out->rows_counted = count(cell, "rows_counted");
    if (find_failure(cell, versus_out)) {
        return 0;
    }
    if (versus_out->rows_counted < versus_out->rows_planned) {
        (void)snprintf(versus_out->why, sizeof versus_out->why, "%zu of %zu rows could be counted",
                       versus_out->rows_counted, versus_out->rows_planned);
        return 0;
    }
    versus_out->answer = judge_ratio(versus_out);
    if (versus_out->answer == MR_VERSUS_PASSED && is_generator_bound(cell)) {
        versus_out->answer = MR_VERSUS_INCOMPLETE;
        (void)snprintf(versus_out->why, sizeof versus_out->why,
                       "the generator was the limit in most trials, so a slower change would not "
                       "show; --measure parse needs none");
    }
    return 0;
}

int mr_versus_exit_code(enum mr_versus_answer answer)
{
    switch (answer) {
    case MR_VERSUS_PASSED:
        return MR_EXIT_OK;
    case MR_VERSUS_SLOWER:
        return MR_EXIT_FAIL_IF;
    case MR_VERSUS_WRONG:
        return MR_EXIT_WRONG;
    default:
        return MR_EXIT_INCOMPLETE;
    }
}

// A speed ratio as people say it.
static void say_ratio(struct mr_text *text, double ratio)
{
    double percent = 100 * (ratio - 1);
    mr_text_printf(text, "%.1f %% %s", fabs(percent), percent < 0 ? "slower" : "faster");
}

static void say_figures(struct mr_text *text, const struct mr_versus_ratio *ratio)
{
    say_ratio(text, ratio->ratio);
    mr_text_printf(text, " (%.1f %% interval: ", 100 * ratio->confidence);
    say_ratio(text, ratio->low);
    mr_text_printf(text, " to ");
    say_ratio(text, ratio->high);
    mr_text_printf(text, "; %zu pairs)", ratio->pairs);
}

void mr_versus_sentence(const struct mr_versus *versus, char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    double margin = 100 * versus->margin;
    switch (versus->answer) {
    case MR_VERSUS_PASSED:
        mr_text_printf(&text, "Passed: the change is not slower by %g %% or more: ", margin);
        break;
    case MR_VERSUS_SLOWER:
        mr_text_printf(&text, "Failed: the change is slower by more than %g %%: ", margin);
        break;
    case MR_VERSUS_NOT_RESOLVED:
        mr_text_printf(
            &text, "Not resolved: these pairs allow a change on either side of %g %%: ", margin);
        break;
    case MR_VERSUS_VOID:
        mr_text_printf(&text,
                       "Not resolved: the base seemed to differ from itself, so this machine "
                       "was too unsteady to judge the change: ");
        say_figures(&text, &versus->twin);
        return;
    case MR_VERSUS_WRONG:
        mr_text_printf(&text, "Failed: wrong answers. %s", versus->why);
        return;
    case MR_VERSUS_INCOMPLETE:
        mr_text_printf(&text, "Not resolved: %s", versus->why);
        return;
    }
    if (isnan(versus->change.low)) {
        mr_text_printf(&text, "too few pairs (%zu)", versus->change.pairs);
        return;
    }
    say_figures(&text, &versus->change);
}
