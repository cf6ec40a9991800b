// race_conform.c: see race_conform.h.
#include "race_conform.h"

#include "hash_log.h"

#include "base/cli.h"
#include "base/clock.h"
#include "base/progress.h"
#include "host/process.h"
#include "trial/matrix_controls.h"

#include <matchrace/contract.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The kit waits more than it works: six keep two cores busy, and those of a race begin together.
#define KITS_AT_ONCE 6

// The kit at work on one contestant.
struct kit {
    const struct mr_entry *entry;
    struct mr_process process;
    bool running;
    bool stamped; // only the stamp is asked for; the quick subset or everything follows
    bool modes[MR_MODE_COUNT]; // in which it races
    char path[PATH_MAX];       // of what it prints
    int result;                // a negative errno when the kit itself could not be run
    bool passed;
};

static bool same_program(const struct mr_entry *a, const struct mr_entry *b)
{
    return strcmp(mr_entry_program(a), mr_entry_program(b)) == 0;
}

// Where the stamps of a contestant go that is named by a path: the stamp of its name in
// build/conform is another's, which a race elsewhere wants to find.
static void name_stamps(const struct mr_race *race, const struct mr_entry *entry, char *path_out,
                        size_t capacity)
{
    char build[PATH_MAX];
    (void)snprintf(build, sizeof build, "%s", race->program);
    for (int i = 0; i < 4; i++) { // build/PRESET/apps/matchrace/matchrace
        char *slash = strrchr(build, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
    }
    (void)snprintf(path_out, capacity, "%s/conform/%s", build, mr_entry_program(entry));
}

// Starts `matchrace conform` in the modes that are raced, with `option` (NULL: everything).
static void start_kit(const struct mr_race *race, struct kit *kit, const char *option)
{
    const char *words[8 + 2 * MR_MODE_COUNT + 1] = {race->program, "conform"};
    size_t count = 2;
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        if (kit->modes[mode]) {
            words[count++] = "--mode";
            words[count++] = mr_mode_names[mode];
        }
    }
    if (option != NULL) {
        words[count++] = option;
    }
    char stamps[PATH_MAX + 200];
    if (mr_entry_is_path(kit->entry)) {
        name_stamps(race, kit->entry, stamps, sizeof stamps);
        words[count++] = "--stamp-dir";
        words[count++] = stamps;
    }
    if (mr_entry_is_own_program(kit->entry)) {
        words[count++] = "--variant";
        words[count++] = kit->entry->variant->name;
    }
    words[count] = kit->entry->contestant.folder;
    struct mr_process_plan plan = {.argv = words,
                                   .out = {.kind = MR_STREAM_FILE, .path = kit->path},
                                   .err = {.kind = MR_STREAM_NULL}};
    kit->result = mr_process_start(&kit->process, &plan, NULL);
    kit->running = kit->result == 0;
    kit->stamped = option != NULL && strcmp(option, "--stamped") == 0;
}

// Waits for the kit's end and goes on to what follows from it.
static void await_kit(const struct mr_race *race, struct kit *kit)
{
    struct mr_process_end end;
    struct mr_patience patience = {.deadline_ns = MR_FOREVER, .wake_fd = race->wake_fd};
    kit->result = mr_process_wait(&kit->process, &patience, &end);
    mr_process_fini(&kit->process);
    kit->running = false;
    if (kit->result != 0) {
        return;
    }
    int code = end.exited ? end.exit_code : -1;
    if (kit->stamped) {
        start_kit(race, kit, code == MR_EXIT_OK ? "--quick" : NULL);
    } else if (code == MR_EXIT_OK || code == MR_EXIT_WRONG) {
        kit->passed = code == MR_EXIT_OK;
    } else {
        kit->result = -EPROTO;
    }
}

// The modes in which entries of this program race.
static void find_modes(const struct mr_race *race, const struct mr_entry *wanted,
                       bool modes_out[MR_MODE_COUNT])
{
    for (size_t cell = 0; cell < race->matrix.cells_count; cell++) {
        const struct mr_cell *one = &race->matrix.cells[cell];
        for (size_t i = 0; i < one->entries_count; i++) {
            const struct mr_entry *entry = mr_entry_find(&race->entries, one->contestants[i]);
            int mode = mr_mode_by_name(mr_entry_mode(entry, one->mode));
            if (mode >= 0 && same_program(entry, wanted)) {
                modes_out[mode] = true;
            }
        }
    }
}

static void begin_kit(const struct mr_race *race, struct kit *kit, const struct mr_entry *entry)
{
    *kit = (struct kit){.entry = entry};
    find_modes(race, entry, kit->modes);
    (void)snprintf(kit->path, sizeof kit->path, "%s/conform-%s.txt", race->folder,
                   mr_entry_program(entry));
    start_kit(race, kit, "--stamped");
}

static void end_kit(struct kit *kit)
{
    if (kit->running) {
        struct mr_process_end end;
        enum mr_process_stop stop;
        (void)!mr_process_stop(&kit->process, MR_NS_PER_S, &end, &stop);
        mr_process_fini(&kit->process);
        kit->running = false;
    }
    if (kit->passed) {
        (void)unlink(kit->path);
    }
}

static bool is_liar(const struct mr_race *race, size_t index)
{
    return mr_matrix_is_liar(&race->matrix, race->entries.entry[index]->text);
}

// Parts of the job answer nothing, what is absent cannot, and a planted liar is for the trials to
// catch.
static bool is_exempt(const struct mr_race *race, size_t index)
{
    return race->absent[index][0] != '\0' || mr_entry_is_part(race->entries.entry[index]) ||
           is_liar(race, index);
}

// The first entry of the same program that can be checked.
static size_t first_to_check(const struct mr_race *race, size_t index)
{
    size_t first = 0;
    while (first < index && (is_exempt(race, first) || !same_program(race->entries.entry[first],
                                                                     race->entries.entry[index]))) {
        first++;
    }
    return is_exempt(race, first) ? race->entries.count : first;
}

// What the manifest says of it.
static const char *conformance_of(const struct mr_race *race, size_t index)
{
    const struct mr_entry *entry = race->entries.entry[index];
    return mr_entry_is_part(entry)            ? "a part of the job: nothing is checked"
           : is_liar(race, index)             ? "a planted liar: for the trials to catch"
           : race->absent[index][0] != '\0'   ? "not checked: absent"
           : race->not_conformant[index]      ? "failed"
           : entry->contestant.gaps_count > 0 ? "gaps declared"
                                              : "full in the modes raced";
}

// Runs the kits of up to KITS_AT_ONCE contestants beside each other, starting with entry *next_io.
static int run_some(struct mr_race *race, size_t *next_io, struct mr_trial_fault *fault)
{
    static struct kit kits[KITS_AT_ONCE]; // large
    size_t index[KITS_AT_ONCE];
    size_t count = 0;
    for (; *next_io < race->entries.count && count < KITS_AT_ONCE; (*next_io)++) {
        if (first_to_check(race, *next_io) == *next_io) {
            index[count] = *next_io;
            begin_kit(race, &kits[count++], race->entries.entry[*next_io]);
        }
    }
    int result = 0;
    // Stamps first, so that what follows from them runs side by side.
    for (size_t i = 0; i < count && result == 0; i++) {
        if (kits[i].running) {
            await_kit(race, &kits[i]);
            result = kits[i].result;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (kits[i].running && result == 0) {
            await_kit(race, &kits[i]);
            result = kits[i].result;
        }
        if (result == 0 && kits[i].result != 0) {
            result = kits[i].result;
        }
        if (kits[i].result != 0 && kits[i].result != -EINTR) {
            mr_trial_fault_set(fault, "the conformance of %s could not be checked (see %s): %s",
                               kits[i].entry->name, kits[i].path, strerror(-kits[i].result));
        }
        race->not_conformant[index[i]] = !kits[i].passed;
    }
    for (size_t i = 0; i < count; i++) {
        end_kit(&kits[i]);
        if (result == 0 && !kits[i].passed) {
            char name[128];
            (void)snprintf(name, sizeof name, "conform-%.100s.txt",
                           mr_entry_program(kits[i].entry));
            mr_hash_log(race, name);
        }
    }
    return result;
}

int mr_race_conform(struct mr_race *race, struct mr_trial_fault *fault)
{
    struct mr_progress progress;
    mr_progress_init(&progress, "conformance of the contestants");
    size_t next = 0;
    int result = 0;
    while (result == 0 && next < race->entries.count) {
        mr_progress_show(&progress, next, race->entries.count);
        result = run_some(race, &next, fault);
    }
    mr_progress_fini(&progress);
    for (size_t i = 0; i < race->entries.count; i++) {
        race->not_conformant[i] =
            !is_exempt(race, i) && race->not_conformant[first_to_check(race, i)];
        race->conformance[i] = conformance_of(race, i);
    }
    return result;
}
