// estimate_cmd.c: the command `matchrace estimate`: results.json of a run once more, from its raw
// files.
#include "cmd.h"
#include "results.h"
#include "run_files.h"

#include "base/cli.h"

#include <stdio.h>

int mr_estimate_main(int argc, char **argv)
{
    static const struct mr_command command = {
        .name = "matchrace estimate",
        .summary = "compute results.json of a run again from its manifest and trials",
        .operands = "FOLDER",
        .operands_min = 1,
        .operands_max = 1,
        .notes = "The same files give the same bytes. Exit codes: those of the run that they come "
                 "from (0, 3, 5); 3 where\na trial is not the one that the run's log vouches for; "
                 "2 it is no run's "
                 "folder; 1 it cannot be read.\n",
        .examples = "  matchrace estimate out/smoke/20261130T144830Z && matchrace report "
                    "out/smoke/20261130T144830Z\n",
    };
    const char *operands[1];
    size_t count;
    enum mr_cli_result parsed = mr_cli_parse(&command, argc, argv, operands, &count);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    struct mr_trial_fault fault = {{0}};
    struct mr_results_outcome outcome;
    int result = mr_run_folder_check(operands[0], &fault);
    if (result == 0) {
        result = mr_results_make(operands[0], &outcome, &fault);
    }
    if (result != 0) {
        (void)fprintf(stderr, "matchrace estimate: %s\n", fault.text);
        return mr_cli_exit_code(result);
    }
    if (outcome.not_as_logged > 0) {
        (void)fprintf(stderr,
                      "matchrace estimate: %s: %zu file%s not what the run's log vouches for; the "
                      "report says so, `matchrace verify` names them\n",
                      operands[0], outcome.not_as_logged,
                      outcome.not_as_logged == 1 ? " is" : "s are");
    }
    return outcome.exit_code;
}
