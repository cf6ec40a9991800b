// load_connect.c: see load_connect.h.
#include "load_connect.h"

#include "call.h"
#include "stats_reply.h"

#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

// Descriptors beside the connections: epoll and event descriptors, files, standard streams.
#define DESCRIPTORS_SPARE 64u

#define FAIL(run, ...) mr_load_fail(&(run)->failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS, __VA_ARGS__)

static bool raise_descriptors(struct mr_load_run *run)
{
    struct rlimit limit;
    uint64_t needed = run->options->connections + DESCRIPTORS_SPARE + 2 * run->options->threads;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return FAIL(run, "limit of descriptors: %s", strerror(errno));
    }
    if (limit.rlim_cur >= needed) {
        return true;
    }
    if (limit.rlim_max < needed) {
        uint64_t beside = needed - run->options->connections;
        uint64_t most = limit.rlim_max > beside ? limit.rlim_max - beside : 0;
        return FAIL(run,
                    "%" PRIu64 " connections need %" PRIu64 " descriptors, but the hard limit is "
                    "%" PRIu64 ": type 'ulimit -n %" PRIu64 "' in the same shell before (as root), "
                    "or use at most --connections %" PRIu64,
                    run->options->connections, needed, (uint64_t)limit.rlim_max, needed, most);
    }
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return FAIL(run, "limit of descriptors: %s", strerror(errno));
    }
    return true;
}

static bool say_why_not(struct mr_load_run *run, uint32_t connection, int error)
{
    const char *address = run->options->connect;
    switch (error) {
    case -ECANCELED:
        return mr_load_fail(&run->failure, MR_LOAD_INTERRUPTED, MR_LOAD_ANSWERS, "interrupted");
    case -ECONNREFUSED:
        return FAIL(run, "nothing listens at %s (connection refused): is the server running?",
                    address);
    case -ETIMEDOUT:
        return FAIL(run, "%s does not answer: connection %" PRIu32 " was not accepted in time",
                    address, connection);
    case -EMFILE:
    case -ENFILE:
        return FAIL(run,
                    "connection %" PRIu32
                    " to %s: no descriptor left (%s): type 'ulimit -n %" PRIu64
                    "' before, or use fewer --connections; 'sysctl fs.file-nr' shows the machine's",
                    connection, address, strerror(-error),
                    2 * (run->options->connections + DESCRIPTORS_SPARE));
    default:
        return FAIL(run, "connection %" PRIu32 " to %s: %s", connection, address, strerror(-error));
    }
}

// Clients stand by thread: those of thread 0 first, so that each thread's are one stretch.
static uint32_t connection_number(const struct mr_load_run *run, uint32_t index)
{
    uint32_t threads = (uint32_t)run->options->threads;
    uint32_t connections = (uint32_t)run->options->connections;
    for (uint32_t thread = 0; thread < threads; thread++) {
        uint32_t own = (connections - thread - 1) / threads + 1;
        if (index < own) {
            return thread + index * threads;
        }
        index -= own;
    }
    return 0;
}

static bool connect_all(struct mr_load_run *run, const struct addrinfo *address)
{
    const struct mr_load_options *options = run->options;
    size_t bytes = options->connections * sizeof *run->client;
    run->client = aligned_alloc(MR_CACHE_LINE_BYTES, bytes);
    if (run->client == NULL) {
        return FAIL(run, "out of memory");
    }
    memset(run->client, 0, bytes);
    for (uint32_t i = 0; i < options->connections; i++) {
        struct mr_client_params params = {
            .connection = connection_number(run, i),
            // Two questions may be in flight beside the batches.
            .requests = options->depth + MR_STATS_MOMENTS,
            .buffer_bytes =
                i == 0 ? MR_CLIENT_CONTROL_BYTES : mr_client_buffer_bytes(options->depth),
            .address = address->ai_addr,
            .address_bytes = address->ai_addrlen,
            .cancel_fd = run->signal_fd,
            .deadline_ns = mr_clock_ns() + options->stall_limit_ns,
        };
        int result = mr_client_init(&run->client[i], &params);
        if (result != 0) {
            return say_why_not(run, params.connection, result);
        }
        run->clients_count++;
    }
    return true;
}

// Asks before anything is measured: what goes wrong is no wrong answer yet.
static bool ask(struct mr_load_run *run, struct mr_client *client, struct mr_call_params params,
                struct mr_call_reply *reply_out)
{
    params.timeout_ns = run->options->stall_limit_ns;
    params.cancel_fd = run->signal_fd;
    struct mr_load_failure why = {0};
    if (mr_call(client, &params, reply_out, &why)) {
        return true;
    }
    if (why.verdict == MR_LOAD_INTERRUPTED) {
        return mr_load_fail(&run->failure, MR_LOAD_INTERRUPTED, MR_LOAD_ANSWERS, "interrupted");
    }
    return FAIL(run, "%s does not greet: %s", run->options->connect, why.text);
}

static bool greet(struct mr_load_run *run, struct mr_client *client)
{
    struct mr_call_params hello = {.question = MR_FRAME_HELLO, .answer = MR_FRAME_WELCOME};
    struct mr_call_reply welcome;
    if (!ask(run, client, hello, &welcome)) {
        return false;
    }
    enum mr_mode mode = MR_MODE_DRAIN;
    struct mr_reply_fault fault;
    bool fine = mr_welcome_mode((const uint8_t *)welcome.json, welcome.json_bytes, &mode, &fault);
    if (!fine) {
        FAIL(run, "WELCOME of %s is not understood: %s", run->options->connect, fault.text);
    } else if (mode != run->options->mode) {
        fine = FAIL(run,
                    "the server works in mode %s, not %s: say --mode %s, or start it with "
                    "--mode %s",
                    mr_mode_names[mode], mr_mode_names[run->options->mode], mr_mode_names[mode],
                    mr_mode_names[run->options->mode]);
    }
    if (client == &run->client[0]) {
        run->welcome = welcome;
    } else {
        free(welcome.json);
    }
    return fine;
}

static bool ask_totals(struct mr_load_run *run)
{
    struct mr_call_params stats = {.question = MR_FRAME_STATS, .answer = MR_FRAME_STATS_REPLY};
    struct mr_reply_fault fault;
    if (!ask(run, &run->client[0], stats, &run->stats_initial)) {
        return false;
    }
    if (!mr_stats_reply_totals((const uint8_t *)run->stats_initial.json,
                               run->stats_initial.json_bytes, &run->totals_initial, &fault)) {
        return FAIL(run, "STATS of %s is not understood: %s", run->options->connect, fault.text);
    }
    return true;
}

bool mr_load_connect(struct mr_load_run *run)
{
    const struct mr_load_options *options = run->options;
    if (!raise_descriptors(run)) {
        return false;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *address = NULL;
    int resolved = getaddrinfo(options->host, options->port, &hints, &address);
    if (resolved != 0) {
        return FAIL(run, "%s: %s", options->host, gai_strerror(resolved));
    }
    run->connect_ns = mr_clock_ns();
    bool fine = connect_all(run, address);
    freeaddrinfo(address);
    for (uint32_t i = 0; fine && i < run->clients_count; i++) {
        fine = greet(run, &run->client[i]);
    }
    fine = fine && ask_totals(run);
    if (fine) { // 0 says that the server could not be talked to
        run->connected_ns = mr_clock_ns();
    }
    return fine;
}
