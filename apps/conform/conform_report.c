// conform_report.c: see conform_report.h.
#include "conform_report.h"

#include "conform_stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool selected_anywhere(const struct mr_kit *kit, size_t rule)
{
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        if (kit->finding[mode][rule].selected) {
            return true;
        }
    }
    return false;
}

static const char *outcome_text(const struct mr_finding *found)
{
    if (!found->selected) {
        return "-";
    }
    switch (found->outcome) {
    case MR_OUTCOME_OK:
        return "ok";
    case MR_OUTCOME_FAILED:
        return found->gap ? "gap" : "FAILED";
    case MR_OUTCOME_SKIPPED:
        return "skipped";
    case MR_OUTCOME_NONE:
        return "not run";
    }
    return "";
}

void mr_conform_name(const struct mr_kit *kit, char *text_out, size_t capacity)
{
    const struct mr_variant *variant = kit->plan.variant;
    (void)snprintf(text_out, capacity, "%s%s%s", kit->plan.contestant->name,
                   variant == NULL ? "" : "@", variant == NULL ? "" : variant->name);
}

static void print_table(const struct mr_kit *kit)
{
    printf("  %-24s", "check");
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        if (kit->options->modes[mode]) {
            printf(" %-8s", mr_mode_names[mode]);
        }
    }
    printf(" sentence\n");
    for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
        if (!selected_anywhere(kit, rule)) {
            continue;
        }
        printf("  %-24s", mr_rules[rule].name);
        for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
            if (kit->options->modes[mode]) {
                printf(" %-8s", outcome_text(&kit->finding[mode][rule]));
            }
        }
        printf(" %s\n", mr_rules[rule].sentence);
    }
}

static void print_findings(const struct mr_kit *kit)
{
    const char *heading = "\n";
    for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
        for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
            const struct mr_finding *found = &kit->finding[mode][rule];
            if (!found->selected || found->outcome < MR_OUTCOME_SKIPPED) {
                continue;
            }
            printf("%s  %s, %s: ", heading, mr_rules[rule].name, mr_mode_names[mode]);
            heading = "";
            if (found->outcome == MR_OUTCOME_SKIPPED) {
                printf("skipped: %s\n", found->got);
            } else {
                printf("%s: expected %s; got %s\n", found->gap ? "declared gap" : "FAILED",
                       found->expected, found->got);
            }
        }
    }
}

// The declared gaps, a line each: a sentence and the first name that shows it, or a name alone.
static void print_gaps(const struct mr_contestant_file *contestant)
{
    for (size_t i = 0; i < contestant->gaps_count;) {
        const struct mr_gap *gap = &contestant->gaps[i];
        size_t first = i++;
        if (gap->what[0] == '\0') {
            printf("  gap: %s\n", gap->name);
            continue;
        }
        while (i < contestant->gaps_count && contestant->gaps[i].what == gap->what) {
            i++;
        }
        printf("  gap: %s (%s", gap->what, gap->name);
        if (i - first > 1) {
            printf(" and %zu more", i - first - 1);
        }
        printf(")\n");
    }
}

void mr_conform_print(const struct mr_kit *kit, uint64_t took_ns)
{
    char name[128];
    mr_conform_name(kit, name, sizeof name);
    struct mr_conform_counts counts = mr_conform_count(kit);
    printf("%s\n", name);
    if (counts.ok + counts.failed + counts.gaps > 0) {
        print_table(kit);
        print_findings(kit);
    }
    if (kit->plan.contestant->gaps_count > 0) {
        printf("\n");
        print_gaps(kit->plan.contestant);
    }
    if (kit->trouble[0] != '\0') {
        printf("\n  %s: %s\n", name, kit->trouble);
    }
    bool passed = mr_conform_passed(kit);
    printf("\n%s: %s: %zu passed, %zu failed", name,
           mr_conform_stop_asked() ? "interrupted"
           : passed                ? "conformant"
                                   : "NOT CONFORMANT",
           counts.ok, counts.failed);
    if (counts.gaps > 0) {
        printf(", %zu declared gap%s", counts.gaps, counts.gaps == 1 ? "" : "s");
    }
    if (counts.skipped > 0) {
        printf(", %zu skipped", counts.skipped);
    }
    if (counts.missing > 0) {
        printf(", %zu not run", counts.missing);
    }
    if (kit->cases->gaps_count > 0) {
        printf(", %zu case%s declared as gap%s", kit->cases->gaps_count,
               kit->cases->gaps_count == 1 ? "" : "s", kit->cases->gaps_count == 1 ? "" : "s");
    }
    printf(" (%.1f s)\n", (double)took_ns / 1e9);
}

void mr_conform_print_rules(void)
{
    static const char letters[] = "dtkf";
    printf("%-24s %-5s %s\n", "check", "modes", "sentence (docs/PROTOCOL.md, by number)");
    for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
        char modes[MR_MODE_COUNT + 1] = "----";
        for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
            if ((mr_rules[rule].modes & 1u << mode) != 0) {
                modes[mode] = letters[mode];
            }
        }
        printf("%-24s %-5s %s\n", mr_rules[rule].name, modes, mr_rules[rule].sentence);
    }
}

static const char *outcome_word(const struct mr_finding *found)
{
    switch (found->outcome) {
    case MR_OUTCOME_OK:
        return "ok";
    case MR_OUTCOME_FAILED:
        return found->gap ? "gap" : "failed";
    case MR_OUTCOME_SKIPPED:
        return "skipped";
    case MR_OUTCOME_NONE:
        return "missing";
    }
    return "";
}

void mr_conform_add_json(yyjson_mut_doc *document, yyjson_mut_val *contestants,
                         const struct mr_kit *kit, uint64_t took_ns)
{
    yyjson_mut_val *entry = yyjson_mut_arr_add_obj(document, contestants);
    char name[128];
    mr_conform_name(kit, name, sizeof name);
    yyjson_mut_obj_add_strcpy(document, entry, "contestant", name);
    yyjson_mut_obj_add_bool(document, entry, "conformant",
                            mr_conform_passed(kit) && !mr_conform_stop_asked());
    yyjson_mut_obj_add_bool(document, entry, "complete", mr_conform_complete(kit));
    yyjson_mut_obj_add_real(document, entry, "seconds", (double)took_ns / 1e9);
    if (kit->trouble[0] != '\0') {
        yyjson_mut_obj_add_strcpy(document, entry, "trouble", kit->trouble);
    }
    yyjson_mut_val *checks = yyjson_mut_obj_add_arr(document, entry, "checks");
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
            const struct mr_finding *found = &kit->finding[mode][rule];
            if (!found->selected) {
                continue;
            }
            yyjson_mut_val *check = yyjson_mut_arr_add_obj(document, checks);
            yyjson_mut_obj_add_str(document, check, "check", mr_rules[rule].name);
            yyjson_mut_obj_add_str(document, check, "mode", mr_mode_names[mode]);
            yyjson_mut_obj_add_str(document, check, "outcome", outcome_word(found));
            if (found->outcome >= MR_OUTCOME_SKIPPED) {
                yyjson_mut_obj_add_strcpy(document, check, "expected", found->expected);
                yyjson_mut_obj_add_strcpy(document, check, "got", found->got);
            }
        }
    }
}
