// server.c: starts everything before it says `listening`, and ends everything after SIGTERM.
#define _GNU_SOURCE
#include "server.h"

#include "base/cli.h"
#include "base/mr_assert.h"
#include "describe.h"
#include "serve_loop.h"
#include "stop.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Received at one time by a turn of a connection: several batches of usual size, and still in a
// core's own cache with what is made of them. By processor time a batch (40 and 155 KB, 16
// connections with 4 in flight, mode keep, 1 MiB of second-level cache): 64 KiB costs 7 and 14 %
// more than this, 256 KiB 0 and 3 %; 1 MiB saves less than 1 % and doubles a turn.
#define SHARED_BYTES (512u << 10)

// Descriptors beside those of connections: standard streams, listener, stop, one epoll a loop, and
// refused connections while they are told so.
#define DESCRIPTORS_APART 40u

static int say(const char *command, const char *what, int failed)
{
    (void)fprintf(stderr, "%s: %s: %s\n", command, what, strerror(-failed));
    return MR_EXIT_ENVIRONMENT;
}

int mr_parser_failed(const char *command, const char *kernel,
                     const struct mr_contestant *contestant, int failed)
{
    if (failed == -ENOENT && kernel != NULL) {
        (void)fprintf(stderr, "%s: there is no kernel '%s'; --kernel takes: %s\n", command, kernel,
                      contestant->kernels_help);
        return MR_EXIT_USAGE;
    }
    if (failed == -ENOTSUP && kernel != NULL) {
        (void)fprintf(stderr, "%s: this machine cannot run kernel '%s'; leave --kernel out\n",
                      command, kernel);
        return MR_EXIT_ENVIRONMENT;
    }
    return say(command, "cannot make a parser", failed);
}

// Fewer connections than asked for where the descriptors do not suffice, and says so: better a
// refusal in words than a connection that nobody accepts.
static int limit_connections(struct mr_server *server, const struct mr_server_options *options)
{
    size_t descriptors = mr_descriptors_raise();
    size_t apart = DESCRIPTORS_APART + options->threads;
    server->max_connections = options->max_connections;
    if (descriptors <= apart) {
        (void)fprintf(stderr,
                      "%s: %zu descriptors are too few, at least %zu are needed (ulimit -Hn)\n",
                      options->command, descriptors, apart + 1);
        return MR_EXIT_ENVIRONMENT;
    }
    if (descriptors - apart < server->max_connections) {
        server->max_connections = descriptors - apart;
        (void)fprintf(stderr, "%s: at most %zu connections, for there are %zu descriptors\n",
                      options->command, server->max_connections, descriptors);
    }
    return MR_EXIT_OK;
}

static int start_listening(struct mr_server *server, const struct mr_server_options *options)
{
    struct mr_listener_fault fault;
    if (mr_listener_init(&server->listener, options->listen, &fault) != 0) {
        (void)fprintf(stderr, "%s: %s\n", options->command, fault.text);
        return fault.is_usage ? MR_EXIT_USAGE : MR_EXIT_ENVIRONMENT;
    }
    int failed = mr_stop_init(&server->stop_event);
    return failed == 0 ? MR_EXIT_OK : say(options->command, "cannot catch SIGTERM", failed);
}

// Fills loop `index` and its room.
static int make_loop(struct mr_server *server, size_t index,
                     const struct mr_server_options *options,
                     const struct mr_contestant *contestant)
{
    struct mr_loop *loop = &server->loop[index];
    int failed = mr_loop_init(loop, server, index == 0);
    if (failed == 0) {
        failed = mr_padded_init(&loop->room.shared, SHARED_BYTES);
    }
    if (failed != 0) {
        return say(options->command, "cannot make a loop", failed);
    }
    loop->room.books = &server->books;
    loop->room.max_payload_bytes = options->max_payload_bytes;
    loop->dose_ppm = options->dose_ppm;
    struct mr_worker_params params = {
        .contestant = contestant,
        .kernel = options->kernel,
        .book = &server->books.book[index],
        .mode = options->mode,
        .max_kept_bytes = options->max_kept_bytes,
    };
    failed = mr_worker_init(&loop->room.worker, &params);
    return failed == 0 ? MR_EXIT_OK
                       : mr_parser_failed(options->command, options->kernel, contestant, failed);
}

static int make_loops(struct mr_server *server, const struct mr_server_options *options,
                      const struct mr_contestant *contestant)
{
    server->loop = calloc(options->threads, sizeof *server->loop);
    int failed = server->loop == NULL ? -ENOMEM : mr_books_init(&server->books, options->threads);
    if (failed != 0) {
        return say(options->command, "cannot start", failed);
    }
    for (size_t i = 0; i < options->threads; i++) {
        server->loops_count++;
        int code = make_loop(server, i, options, contestant);
        if (code != MR_EXIT_OK) {
            return code;
        }
    }
    struct mr_welcome welcome = {
        .dose_ppm = options->dose_ppm,
        .contestant = contestant,
        .parser = server->loop[0].room.worker.parser,
        .mode = options->mode,
        .threads = options->threads,
    };
    failed = mr_describe_welcome(&welcome, &server->welcome, &server->welcome_bytes);
    if (failed != 0) {
        return say(options->command, "cannot start", failed);
    }
    for (size_t i = 0; i < server->loops_count; i++) {
        server->loop[i].room.welcome = server->welcome;
        server->loop[i].room.welcome_bytes = server->welcome_bytes;
    }
    return MR_EXIT_OK;
}

// A loop that fails takes the server with it: half a server would answer half of the truth.
static void *run_thread(void *loop)
{
    int failed = mr_loop_run(loop);
    MR_ASSERT(failed == 0);
    return NULL;
}

static int announce(const struct mr_server *server, const struct mr_server_options *options)
{
    if (printf("listening %s\n", server->listener.address) < 0 || fflush(stdout) != 0) {
        return say(options->command, "cannot write to standard output", -errno);
    }
    return MR_EXIT_OK;
}

// Starts the other loops' threads, runs the first loop in this one, ends them all.
static int run(struct mr_server *server, const struct mr_server_options *options)
{
    pthread_t thread[MR_THREADS_MAX];
    size_t started = 1;
    int failed = 0;
    while (failed == 0 && started < server->loops_count) {
        failed = -pthread_create(&thread[started], NULL, run_thread, &server->loop[started]);
        if (failed == 0) {
            char name[32];
            (void)snprintf(name, sizeof name, "loop-%zu", started);
            (void)pthread_setname_np(thread[started], name);
            started++;
        }
    }
    int code = failed == 0 ? announce(server, options)
                           : say(options->command, "cannot start a thread", failed);
    if (code == MR_EXIT_OK) {
        failed = mr_loop_run(&server->loop[0]);
        code = failed == 0 ? MR_EXIT_OK : say(options->command, "cannot wait for input", failed);
    }
    mr_stop_request();
    mr_listener_fini(&server->listener);
    for (size_t i = 1; i < started; i++) {
        (void)pthread_join(thread[i], NULL);
    }
    return code;
}

static void end(struct mr_server *server)
{
    mr_listener_fini(&server->listener);
    for (size_t i = 0; i < server->loops_count; i++) {
        struct mr_session_room *room = &server->loop[i].room;
        mr_loop_fini(&server->loop[i]);
        mr_worker_fini(&room->worker);
        mr_padded_fini(&room->shared);
    }
    if (server->books.count > 0) {
        mr_books_fini(&server->books);
    }
    free(server->loop);
    free(server->welcome);
}

int mr_server_main(const struct mr_server_options *options, const struct mr_contestant *contestant)
{
    MR_ASSERT(options->threads >= 1 && options->threads <= MR_THREADS_MAX);
    struct mr_server server = {.listener = {.file = -1}};
    int code = limit_connections(&server, options);
    if (code == MR_EXIT_OK) {
        code = start_listening(&server, options);
    }
    if (code == MR_EXIT_OK) {
        code = make_loops(&server, options, contestant);
    }
    if (code == MR_EXIT_OK) {
        code = run(&server, options);
    }
    end(&server);
    return code;
}
