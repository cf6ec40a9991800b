// serve_main.c: the command line of a native contestant: serve and parse.
#include "dose.h"
#include "parse_main.h"
#include "parser_words.h"
#include "server.h"

#include "base/cli.h"
#include "base/mr_assert.h"
#include "wire/wire.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define NAME_BYTES 128

static int serve(const char *name, int argc, char **argv, const struct mr_contestant *contestant)
{
    const char *listen = "127.0.0.1:0";
    const char *mode = "keep";
    const char *kernel = NULL;
    uint64_t threads = 1;
    uint64_t max_payload = MR_PAYLOAD_BYTES_DEFAULT;
    uint64_t max_kept = MR_KEPT_BYTES_DEFAULT;
    uint64_t max_connections = MR_CONNECTIONS_DEFAULT;
    uint64_t dose_ppm = 0;
    struct mr_parser_words words;
    mr_parser_words_init(&words, contestant);
    const struct mr_option options[] = {
        {"listen", MR_OPTION_TEXT, &listen, "HOST:PORT",
         "Where to listen; port 0 takes a free one (default 127.0.0.1:0). IPv6: [::1]:0.", 0, 0,
         NULL},
        {"mode", MR_OPTION_CHOICE, &mode, "MODE", "What is done with a batch (default keep).", 0, 0,
         words.modes},
        {"threads", MR_OPTION_COUNT, &threads, "N", "Threads, each with a loop (default 1).", 1,
         MR_THREADS_MAX, NULL},
        {"kernel", MR_OPTION_TEXT, &kernel, "NAME", words.kernel_help, 0, 0, NULL},
        {"max-payload", MR_OPTION_BYTES, &max_payload, "BYTES",
         "A frame with a longer payload is an ERROR (default 16MiB).", 1, UINT32_MAX, NULL},
        {"max-kept", MR_OPTION_BYTES, &max_kept, "BYTES",
         "A connection that keeps more is ended with ERROR (default 256MiB).", 1, 0, NULL},
        {"max-connections", MR_OPTION_COUNT, &max_connections, "N",
         "One more is told ERROR and closed (default 4096).", 1, 1000000, NULL},
        {"dose-ppm", MR_OPTION_COUNT, &dose_ppm, "N", MR_DOSE_HELP, 0, MR_DOSE_PPM_MAX, NULL},
    };
    char examples[3 * NAME_BYTES + 128];
    (void)snprintf(examples, sizeof examples,
                   "  %s --mode keep\n  %s --listen 127.0.0.1:7000 --mode totals --threads 2\n",
                   name, name);
    const struct mr_command command = {
        .name = name,
        .summary = "answers batches over TCP until SIGTERM, as docs/PROTOCOL.md says.",
        .options = options,
        .options_count = sizeof options / sizeof options[0],
        .examples = examples,
        .notes = "Prints 'listening HOST:PORT' when it is ready.\n"
                 "Exit codes: 0 after SIGTERM, 1 it cannot listen or start, 2 wrong usage.\n",
    };
    size_t operands_count;
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, NULL, &operands_count);
    if (result != MR_CLI_RUN) {
        return result == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    struct mr_server_options server = {
        .command = name,
        .listen = listen,
        .kernel = kernel,
        .mode = (enum mr_mode)mr_mode_by_name(mode),
        .threads = (unsigned)threads,
        .max_payload_bytes = (uint32_t)max_payload,
        .max_kept_bytes = max_kept,
        .max_connections = max_connections,
        .dose_ppm = dose_ppm,
    };
    return mr_server_main(&server, contestant);
}

static void print_help(const struct mr_contestant *contestant)
{
    printf("%s %s (%s): a contestant of matchrace\n\n"
           "Usage: %s serve [OPTIONS]   answers batches over TCP\n"
           "       %s parse [OPTIONS]   the same work on a dataset in memory, no sockets\n\n"
           "Examples:\n"
           "  %s serve --listen 127.0.0.1:0 --mode keep --threads 1\n"
           "  %s parse --data DATASET --mode keep --repeat 50\n"
           "  %s serve --help\n",
           contestant->name, contestant->version, contestant->language, contestant->name,
           contestant->name, contestant->name, contestant->name, contestant->name);
}

int mr_serve_main(int argc, char **argv, const struct mr_contestant *contestant)
{
    MR_ASSERT(contestant->create != NULL && contestant->destroy != NULL);
    MR_ASSERT(contestant->parse != NULL && contestant->kernel != NULL);
    MR_ASSERT(contestant->libraries != NULL && strlen(contestant->name) < NAME_BYTES - 8);
    // A peer that is gone is an error of its connection, not the end of the program.
    (void)signal(SIGPIPE, SIG_IGN);
    const char *word = argc >= 2 ? argv[1] : "";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_help(contestant);
        return MR_EXIT_OK;
    }
    char name[NAME_BYTES];
    (void)snprintf(name, sizeof name, "%s %s", contestant->name, word);
    if (strcmp(word, "serve") == 0) {
        return serve(name, argc - 1, argv + 1, contestant);
    }
    if (strcmp(word, "parse") == 0) {
        return mr_parse_main(name, argc - 1, argv + 1, contestant);
    }
    (void)fprintf(stderr, "%s: the first word is 'serve' or 'parse', not '%s' (see %s --help)\n",
                  contestant->name, word, contestant->name);
    return MR_EXIT_USAGE;
}
