// conform_call.c: see conform_call.h.
#include "conform_call.h"

#include "conform_clock.h"
#include "base/clock.h"
#include "base/file.h"
#include "conform_quick.h"
#include "conform_report.h"
#include "conform_run.h"
#include "conform_stamp.h"
#include "conform_stop.h"
#include "trial/contestant_missing.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// No exit code: the contestant was left out.
#define NOT_INSTALLED (-1)

// A folder, or the contestant.json in it.
static void folder_of(const char *operand, char folder_out[PATH_MAX])
{
    static const char file_name[] = "contestant.json";
    size_t length = strlen(operand);
    size_t tail = sizeof file_name - 1;
    (void)snprintf(folder_out, PATH_MAX, "%s", operand);
    if (length >= tail && strcmp(operand + length - tail, file_name) == 0 &&
        (length == tail || operand[length - tail - 1] == '/')) {
        (void)snprintf(folder_out, PATH_MAX, "%.*s", (int)(length - tail), operand);
        if (folder_out[0] == '\0') {
            (void)snprintf(folder_out, PATH_MAX, ".");
        }
    }
}

static void unmark_gaps(struct mr_case_set *cases)
{
    for (size_t file = 0; file < MR_CASE_FILES; file++) {
        for (size_t i = 0; i < cases->file[file].count; i++) {
            cases->file[file].cases[i].gap = false;
        }
    }
    cases->gaps_count = 0;
}

// What the contestant has declared that it cannot keep: checks by number or name, cases by the
// beginning of their names.
static int mark_gaps(struct mr_conform_call *call, struct mr_kit *kit)
{
    const struct mr_contestant_file *contestant = kit->plan.contestant;
    unmark_gaps(&call->cases);
    for (size_t i = 0; i < contestant->gaps_count; i++) {
        const char *gap = contestant->gaps[i].name;
        enum mr_rule rule = mr_rule_find(gap, strlen(gap));
        for (size_t mode = 0; mode < MR_MODE_COUNT && rule != MR_RULE_NONE; mode++) {
            kit->finding[mode][rule].gap = true;
        }
        if (rule == MR_RULE_NONE && mr_cases_mark_gaps(&call->cases, gap) == 0) {
            return mr_conform_complain(
                MR_EXIT_USAGE,
                "%s: \"conformance\": \"%s\" is neither a check (--list) nor the "
                "beginning of a case's name",
                contestant->path, gap);
        }
    }
    return 0;
}

static int run_quick(const struct mr_conform_call *call, struct mr_kit *kit)
{
    uint64_t begin_ns = mr_clock_ns();
    bool right = true;
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        if (call->options.modes[mode]) {
            kit->mode = (enum mr_mode)mode;
            right = mr_conform_quick(kit) && right;
        }
    }
    char name[128];
    mr_conform_name(kit, name, sizeof name);
    printf("%s: quick check %s (%.0f ms)\n", name, right ? "passed" : "FAILED",
           (double)(mr_clock_ns() - begin_ns) / 1e6);
    return right ? MR_EXIT_OK : MR_EXIT_WRONG;
}

static void stamp(const struct mr_conform_call *call, const struct mr_kit *kit,
                  const struct mr_stamp_place *place, bool passed)
{
    if (!mr_conform_complete(kit)) {
        return;
    }
    struct mr_stamp_fault fault;
    if (!passed) {
        mr_stamp_remove(place);
    } else if (mr_stamp_write(place, &fault) != 0) {
        (void)mr_conform_complain(0, "no stamp: %s", fault.text);
    } else {
        printf("%s: stamped in %s/%s.json\n", place->name, call->words.stamp_dir, place->name);
    }
}

static int run_full(struct mr_conform_call *call, struct mr_kit *kit,
                    const struct mr_stamp_place *place)
{
    uint64_t begin_ns = mr_clock_ns();
    mr_conform_run(kit);
    uint64_t took_ns = mr_clock_ns() - begin_ns;
    mr_conform_print(kit, took_ns);
    if (call->document != NULL) {
        mr_conform_add_json(call->document, call->contestants, kit, took_ns);
    }
    if (mr_conform_stop_asked()) {
        return MR_EXIT_WRONG;
    }
    bool passed = mr_conform_passed(kit);
    stamp(call, kit, place, passed);
    if (passed) {
        return MR_EXIT_OK;
    }
    // Out of time with nothing wrong so far is no verdict.
    return mr_conform_count(kit).failed == 0 && mr_conform_now_ns() >= kit->deadline_ns
               ? MR_EXIT_INCOMPLETE
               : MR_EXIT_WRONG;
}

static int check_stamp(const struct mr_stamp_place *place)
{
    struct mr_stamp_fault fault;
    bool valid = mr_stamp_valid(place, &fault);
    printf("%s: %s%s\n", place->name,
           valid ? "the stamp is valid" : "not stamped: ", valid ? "" : fault.text);
    return valid ? MR_EXIT_OK : MR_EXIT_WRONG;
}

static int run_loaded(struct mr_conform_call *call, struct mr_contestant_file *contestant,
                      const struct mr_variant *variant)
{
    struct mr_kit *kit = calloc(1, sizeof *kit);
    if (kit == NULL) {
        return mr_conform_complain(MR_EXIT_ENVIRONMENT, "out of memory");
    }
    kit->options = &call->options;
    kit->cases = &call->cases;
    kit->plan.contestant = contestant;
    kit->plan.variant = variant;
    kit->mode = MR_MODE_KEEP;
    int code = 0;
    char name[128];
    mr_conform_name(kit, name, sizeof name);
    struct mr_stamp_place place = {.plan = &kit->plan,
                                   .cases = call->words.cases,
                                   .folder = call->words.stamp_dir,
                                   .name = name,
                                   .modes = call->options.modes};
    if (call->words.stamped) {
        code = check_stamp(&place);
    } else {
        code = mark_gaps(call, kit);
        if (code == 0) {
            code = call->words.quick ? run_quick(call, kit) : run_full(call, kit, &place);
        }
    }
    free(kit);
    return code;
}

// The same once it is known that the variant that is asked for exists and is installed.
static int run_variant(struct mr_conform_call *call, struct mr_contestant_file *contestant)
{
    const char *name = call->words.variant;
    const struct mr_variant *variant =
        name == NULL ? NULL : mr_contestant_variant(contestant, name);
    if (name != NULL && variant == NULL) {
        return mr_conform_complain(MR_EXIT_USAGE, "%s has no variant '%s'", contestant->name, name);
    }
    char reason[512];
    if (mr_contestant_missing(contestant, variant, call->words.build_dir, reason, sizeof reason)) {
        printf("%s%s%s: %s\n", contestant->name, name == NULL ? "" : "@", name == NULL ? "" : name,
               reason);
        return NOT_INSTALLED;
    }
    return run_loaded(call, contestant, variant);
}

static int run_contestant(struct mr_conform_call *call, const char *operand)
{
    char folder[PATH_MAX];
    folder_of(operand, folder);
    struct mr_contestant_file *contestant = calloc(1, sizeof *contestant);
    if (contestant == NULL) {
        return mr_conform_complain(MR_EXIT_ENVIRONMENT, "out of memory");
    }
    struct mr_trial_fault fault;
    int result = mr_contestant_load(contestant, folder, call->words.build_dir, &fault);
    int code = result == 0 ? run_variant(call, contestant)
                           : mr_conform_complain(mr_cli_exit_code(result), "%s", fault.text);
    mr_contestant_fini(contestant);
    free(contestant);
    return code;
}

static int write_json(struct mr_conform_call *call)
{
    size_t length;
    char *text = yyjson_mut_write(call->document, YYJSON_WRITE_PRETTY_TWO_SPACES, &length);
    int result = text == NULL ? -ENOMEM : mr_file_write(call->words.json, text, length);
    free(text);
    return result == 0 ? 0
                       : mr_conform_complain(mr_cli_exit_code(result), "--json %s: %s",
                                             call->words.json, strerror(-result));
}

int mr_conform_call_run(struct mr_conform_call *call, const char *const *operands, size_t count)
{
    int worst = 0;
    size_t installed = 0;
    if (call->words.json != NULL) {
        call->document = yyjson_mut_doc_new(NULL);
        yyjson_mut_val *root = yyjson_mut_obj(call->document);
        yyjson_mut_doc_set_root(call->document, root);
        call->contestants = yyjson_mut_obj_add_arr(call->document, root, "contestants");
    }
    for (size_t i = 0; i < count && !mr_conform_stop_asked(); i++) {
        int code = run_contestant(call, operands[i]);
        installed += code != NOT_INSTALLED;
        worst = code > worst ? code : worst;
    }
    // Who is not installed was named, and hinders nobody else.
    if (installed == 0 && !mr_conform_stop_asked()) {
        worst = MR_EXIT_ENVIRONMENT;
    }
    if (call->document != NULL) {
        int code = write_json(call);
        worst = code > worst ? code : worst;
        yyjson_mut_doc_free(call->document);
    }
    return mr_conform_stop_asked() ? mr_conform_stop_exit_code() : worst;
}
