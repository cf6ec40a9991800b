// aa_main.c: synthetic campaigns from recorded pairs: are the statistics right as often as they
// say?
//
//     mr_aa RECORDED [--campaigns N] [--seed N]
//
// Exit codes: 0 every row is in its range; 1 the recorded pairs cannot be read; 2 wrong usage; 3 a
// row is not.
#include "aa.h"

#include <base/cli.h>

#include <math.h>
#include <stdio.h>

void aa_row(struct aa *aa, const char *series, const char *what, double found, double low,
            double high)
{
    bool good = found >= low && found <= high;
    aa->rows++;
    aa->failed += !good;
    printf("%-16s  %-58s %7.3f %%  allowed %6.2f to %6.2f %%  %s\n", series, what, 100 * found,
           100 * low, 100 * high, good ? "ok" : "NOT SO");
}

double aa_slack(const struct aa *aa, double share)
{
    return 4 * sqrt(share * (1 - share) / (double)aa->campaigns);
}

int main(int argc, char **argv)
{
    static struct aa aa = {.campaigns = 100000, .seed = 1};
    const struct mr_option options[] = {
        {"campaigns", MR_OPTION_COUNT, &aa.campaigns, "N", "Campaigns a row. Default: 100000.", 100,
         100000000, NULL},
        {"seed", MR_OPTION_COUNT, &aa.seed, "N", "Of all draws. Default: 1.", 0, 0, NULL},
    };
    const struct mr_command command = {
        .name = "./lab prove aa",
        .summary = "synthetic campaigns from recorded pairs of twins: false verdicts, coverage, "
                   "orders, power",
        .operands = "[RECORDED]",
        .operands_min = 0,
        .operands_max = 1,
        .options = options,
        .options_count = sizeof options / sizeof options[0],
        .notes = "RECORDED: pairs as tests/truth/record.py writes them; default "
                 "tests/truth/recorded.txt.\n"
                 "Rows called \"planted\" hold a fault that the proof must see. Exit code 3: a row "
                 "is not as it must be.\n",
        .examples = "  ./lab prove aa\n  ./lab prove aa --campaigns 10000 --seed 7\n",
    };
    const char *operands[1];
    size_t count;
    enum mr_cli_result parsed = mr_cli_parse(&command, argc, argv, operands, &count);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    if (!noises_read(&aa.noises, count == 0 ? "tests/truth/recorded.txt" : operands[0])) {
        return MR_EXIT_ENVIRONMENT;
    }
    aa_levels(&aa);
    aa_order(&aa);
    aa_power(&aa);
    printf("%zu rows of %llu campaigns each, %zu not as they must be\n", aa.rows,
           (unsigned long long)aa.campaigns, aa.failed);
    return aa.failed > 0 ? MR_EXIT_WRONG : MR_EXIT_OK;
}
