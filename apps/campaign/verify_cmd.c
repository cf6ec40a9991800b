// verify_cmd.c: the command `matchrace verify`: is a run's folder what its raw trials say?
#include "cmd.h"

#include "race_open.h"
#include "run_files.h"
#include "verify_folder.h"

#include "base/cli.h"

#include <errno.h>
#include <stdio.h>

// A file that cannot be understood is a difference; one that cannot be read says nothing.
static int run_check(struct mr_verify *verify,
                     int (*check)(struct mr_verify *, struct mr_trial_fault *))
{
    struct mr_trial_fault fault = {{0}};
    int result = check(verify, &fault);
    if (result == -EBADMSG) {
        verify->differences++;
        (void)fprintf(verify->out, "%s\n", fault.text);
        return 0;
    }
    if (result != 0) {
        (void)fprintf(stderr, "matchrace verify: %s\n", fault.text);
    }
    return result;
}

static int verify_folder(const char *program, const char *folder)
{
    struct mr_verify verify = {.folder = folder, .program = program, .out = stdout};
    struct mr_trial_fault fault;
    int result = mr_run_folder_check(folder, &fault);
    if (result != 0) {
        (void)fprintf(stderr, "matchrace verify: %s\n", fault.text);
        return mr_cli_exit_code(result);
    }
    if (mr_run_is_at_work(folder)) {
        (void)fprintf(stderr,
                      "matchrace verify: %s: a run is at work in it, whose results and report are "
                      "not written yet; `matchrace status` says how far it is\n",
                      folder);
        return MR_EXIT_INCOMPLETE;
    }
    result = run_check(&verify, mr_verify_hashes);
    result = result == 0 ? run_check(&verify, mr_verify_trials) : result;
    result = result == 0 ? run_check(&verify, mr_verify_results) : result;
    if (result != 0) {
        return mr_cli_exit_code(result);
    }
    if (verify.differences > 0) {
        (void)fprintf(stderr, "matchrace verify: %s: %zu difference%s\n", folder,
                      verify.differences, verify.differences > 1 ? "s" : "");
        return MR_EXIT_WRONG;
    }
    printf("%s: hashes, schedule, gates, exclusions, verdicts and report: the same again\n",
           folder);
    return MR_EXIT_OK;
}

int mr_verify_main(int argc, char **argv)
{
    static const struct mr_command command = {
        .name = "matchrace verify",
        .summary = "compute hashes, gates, exclusions and verdicts of a run again from its trials",
        .operands = "FOLDER",
        .operands_min = 1,
        .operands_max = 1,
        .notes =
            "Nothing in FOLDER is changed. Exit codes: 0 the same bytes; 3 not, each place is "
            "named; 5 a run is\nat work in it; 2 it is no run's folder; 1 it cannot be read.\n",
        .examples = "  matchrace verify out/smoke/20261130T144830Z\n",
    };
    const char *operands[1];
    size_t count;
    enum mr_cli_result parsed = mr_cli_parse(&command, argc, argv, operands, &count);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    struct mr_race_self self;
    struct mr_trial_fault fault = {{0}};
    if (mr_race_find_self(&self, NULL, &fault) != 0) {
        (void)fprintf(stderr, "matchrace verify: %s\n", fault.text);
        return MR_EXIT_ENVIRONMENT;
    }
    return verify_folder(self.program, operands[0]);
}
