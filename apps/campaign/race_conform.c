// race_conform.c: see race_conform.h.
#include "race_conform.h"

#include "base/cli.h"
#include "base/progress.h"
#include "host/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Runs `matchrace conform` with `words` between; its report goes to `path`. The exit code, or a
// negative errno.
static int run_kit(const struct mr_race *race, const char *option, const char *folder,
                   const char *path)
{
    const char *words[] = {race->program, "conform", option != NULL ? option : folder,
                           option != NULL ? folder : NULL, NULL};
    struct mr_process_plan plan = {.argv = words,
                                   .out = {.kind = MR_STREAM_FILE, .path = path},
                                   .err = {.kind = MR_STREAM_NULL}};
    struct mr_process process;
    int result = mr_process_start(&process, &plan, NULL);
    if (result != 0) {
        return result;
    }
    struct mr_process_end end;
    struct mr_patience patience = {.deadline_ns = MR_FOREVER, .wake_fd = race->wake_fd};
    result = mr_process_wait(&process, &patience, &end);
    mr_process_fini(&process);
    if (result != 0) {
        return result;
    }
    return end.exited ? end.exit_code : -ECHILD;
}

static int check(const struct mr_race *race, const struct mr_entry *entry, bool *passed_out)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/conform-%s.txt", race->folder, entry->name);
    const char *folder = entry->contestant.folder;
    int code = run_kit(race, "--stamped", folder, path);
    if (code == MR_EXIT_OK) {
        code = run_kit(race, "--quick", folder, path);
    } else if (code > 0) {
        code = run_kit(race, NULL, folder, path);
    }
    *passed_out = code == MR_EXIT_OK;
    if (*passed_out) {
        (void)unlink(path);
    }
    return code < 0 ? code : code == MR_EXIT_OK || code == MR_EXIT_WRONG ? 0 : -EPROTO;
}

int mr_race_conform(struct mr_race *race, struct mr_trial_fault *fault)
{
    struct mr_progress progress;
    mr_progress_init(&progress, "conformance");
    int result = 0;
    for (size_t i = 0; result == 0 && i < race->entries.count; i++) {
        const struct mr_entry *entry = race->entries.entry[i];
        size_t earlier = 0;
        while (earlier < i && strcmp(race->entries.entry[earlier]->name, entry->name) != 0) {
            earlier++;
        }
        bool passed = !race->not_conformant[earlier];
        if (earlier == i) {
            mr_progress_say(&progress, "conformance of %s", entry->name);
            mr_progress_show(&progress, i, race->entries.count);
            result = check(race, entry, &passed);
        }
        race->not_conformant[i] = !passed;
        race->conformance[i] = !passed                            ? "failed"
                               : entry->contestant.gaps_count > 0 ? "gaps declared"
                                                                  : "full";
        if (result != 0 && result != -EINTR) {
            mr_trial_fault_set(
                fault, "the conformance of %s could not be checked (see %s/conform-%s.txt): %s",
                entry->name, race->folder, entry->name, strerror(-result));
        }
    }
    mr_progress_fini(&progress);
    return result;
}
