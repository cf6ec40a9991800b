// data_main.c: `matchrace data`: finds the command and hands over.
#include "cmd.h"

#include "data_command.h"

#include "base/cli.h"
#include "dataset/dataset_manifest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t caught_signal;

static void catch_signal(int signal)
{
    caught_signal = signal;
}

void mr_data_catch_signals(void)
{
    struct sigaction action = {.sa_handler = catch_signal};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGXFSZ, &action, NULL);
}

int mr_data_signal(void)
{
    return caught_signal;
}

void mr_data_say(const char *word, const char *text)
{
    (void)fprintf(stderr, "matchrace data %s: %s\n", word, text);
}

bool mr_data_manifest_path(const char *word, const char *name, char *path_out, size_t capacity)
{
    if (mr_dataset_base(name, path_out, capacity) != 0) {
        mr_data_say(word, "the path of the dataset is too long");
        return false;
    }
    size_t length = strlen(path_out);
    memcpy(path_out + length, ".json", sizeof ".json");
    return true;
}

bool mr_data_take_base(const char *word, const char **name_io, char base_out[PATH_MAX])
{
    if (mr_dataset_base(*name_io, base_out, PATH_MAX) != 0) {
        mr_data_say(word, "the path of the dataset is too long");
        return false;
    }
    *name_io = base_out;
    return true;
}

int mr_data_exit(int error)
{
    if (error == -EINTR && caught_signal != 0) {
        return 128 + caught_signal;
    }
    return error == -EBADMSG ? MR_EXIT_WRONG : mr_cli_exit_code(error);
}

static const struct {
    const char *word;
    const char *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"make", "make a dataset of a shape from a seed, with its answers", mr_data_make},
    {"import", "make a dataset of JSON files of your own", mr_data_import},
    {"show", "say what a dataset is made of", mr_data_show},
    {"verify", "check that a dataset is whole and what it was made as", mr_data_verify},
};

static void print_help(void)
{
    printf("matchrace data: make, import, show and verify datasets\n\n"
           "Usage: matchrace data COMMAND [OPTIONS]\n\nCommands:\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        printf("  %-8s %s\n", commands[i].word, commands[i].summary);
    }
    printf(
        "\nA dataset is four files: NAME.batches (what is sent), NAME.answers, NAME.edits (never\n"
        "given to contestants) and NAME.json (what it is). docs/DATASETS.md describes them.\n"
        "\nExamples:\n"
        "  matchrace data make --shape messy --seed 42 --bytes 64MiB --out data/messy\n"
        "  matchrace data show data/messy\n"
        "  matchrace data import --help\n");
}

int mr_data_main(int argc, char **argv)
{
    if (argc < 2) {
        (void)fprintf(stderr, "matchrace data: which command? (see matchrace data --help)\n");
        return MR_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help();
        return MR_EXIT_OK;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].word) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    (void)fprintf(stderr, "matchrace data: unknown command '%s' (see matchrace data --help)\n",
                  argv[1]);
    return MR_EXIT_USAGE;
}
