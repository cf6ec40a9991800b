// report_controls.c: the controls of known size in report.md: what they came to at its head, each
// of them in a table.
#include "controls_words.h"
#include "report_page.h"
#include "results_view.h"

static void write_line(FILE *out, const char *what, const char *words)
{
    (void)fprintf(out, "- %s: ", what);
    mr_view_escape(out, words);
    (void)fprintf(out, "\n");
}

void mr_report_sensitivity(FILE *out, yyjson_val *results)
{
    yyjson_val *controls = yyjson_obj_get(results, "controls");
    char words[MR_CONTROLS_WORDS_BYTES];
    if (mr_controls_void(controls, words)[0] != '\0') {
        (void)fprintf(out, "> **Void.** ");
        mr_view_escape(out, words);
        (void)fprintf(out, "\n\n");
    }
    write_line(out, "Smallest planted difference that this campaign found",
               mr_controls_sensitivity(controls, words));
    if (yyjson_is_obj(controls)) {
        write_line(out, "Noise floor", mr_controls_noise(controls, words));
        write_line(out, "Planted lies", mr_controls_lies(controls, words));
    }
    (void)fprintf(out, "\n");
}

static void write_control(FILE *out, yyjson_val *control)
{
    char text[64];
    char extra[32];
    char ratio[32];
    char low[32];
    char high[32];
    char pairs[32];
    (void)fprintf(out, "| ");
    mr_view_put(out, control, "entry");
    (void)fprintf(out, " | ");
    mr_view_put(out, control, "contestant");
    (void)fprintf(out, " | %s | %s | %s | %s to %s | %s | %s", mr_control_kind(control, text),
                  mr_view_format(100 * mr_view_number(control, "cpu_extra"), 2, extra),
                  mr_view_format(mr_view_number(control, "ratio"), 4, ratio),
                  mr_view_format(mr_view_number(control, "ratio_low"), 4, low),
                  mr_view_format(mr_view_number(control, "ratio_high"), 4, high),
                  mr_view_format(mr_view_number(control, "pairs"), 0, pairs),
                  mr_control_outcome(control));
    const char *reason = mr_view_text(control, "reason");
    if (reason[0] != '\0') {
        (void)fprintf(out, " (trial %.0f: ", mr_view_number(control, "trial"));
        mr_view_escape(out, reason);
        (void)fprintf(out, ")");
    }
    (void)fprintf(out, " |\n");
}

void mr_report_controls(FILE *out, yyjson_val *results)
{
    yyjson_val *of = yyjson_obj_get(yyjson_obj_get(results, "controls"), "of");
    if (yyjson_arr_size(of) == 0) {
        return;
    }
    (void)fprintf(
        out, "## Controls of known size\n\nRaced among the others under code names, which were "
             "opened when every trial was judged. The ratio is the speed of the same program "
             "without anything planted over that of the control.\n\n"
             "| code name | contestant | is | CPU time beyond it, %% | speed ratio | interval "
             "| pairs | came to |\n|---|---|---|--:|--:|--:|--:|---|\n");
    size_t index;
    size_t count;
    yyjson_val *control;
    yyjson_arr_foreach(of, index, count, control)
    {
        write_control(out, control);
    }
    (void)fprintf(out, "\n");
}
