// clocked_server.c: an honest contestant whose service time is known: each batch takes a fixed time
// by the clock, so that queueing theory says what must be measured.
//
//     clocked_server --service-ns 1000000 --log FILE serve --mode totals
//     clocked_server --map FILE serve --mode keep
//
// Answers come from the project's parser and are right. A batch that was waiting is served from the
// moment at which the one before it was due to be done, not from the moment at which it was looked
// at: what sockets cost between two batches is part of the service time, which thereby is the same
// for every batch. The log, written at the end, says of each batch when it was looked at, from when
// its service counts and when it was over: a pause of the host shows in it.
//
// Its queue is first come, first served, which theory needs: of the connections that are ready,
// epoll gives it one at a time. A server that takes many events at once serves all of them before
// it asks again. Whom it served last has no new batch yet at that moment and misses a whole round,
// again and again, while the others overtake it.
#include <matchrace/serve.h>

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Who is looked at so shortly after the batch before was waiting, as far as can be told: for 50 µs
// or 5 % of the service time. Who came in just then, and waited for nobody, is done too early by as
// much: one in a hundred.
#define JOIN_NS_MIN (50 * MR_NS_PER_US)
#define JOIN_OF     20u

#define LOG_MAX 1000000u

struct visit {
    uint64_t seen_ns;
    uint64_t begin_ns;
    uint64_t end_ns;
};

static uint64_t service_ns;
static uint64_t free_ns; // when the batch before was due to be done
static struct visit *visits;
static size_t visits_count;
static struct {
    const char *log; // NULL: none is written
    const char *map; // a file of which every page is touched with the first batch; NULL: none
} words;

// The names are the linker's (--wrap).
int __real_epoll_wait(int epoll, struct epoll_event *events_out, int events_max, int timeout_ms);
int __wrap_epoll_wait(int epoll, struct epoll_event *events_out, int events_max, int timeout_ms);

int __wrap_epoll_wait(int epoll, struct epoll_event *events_out, int events_max, int timeout_ms)
{
    (void)events_max;
    return __real_epoll_wait(epoll, events_out, 1, timeout_ms);
}

static int create(const struct mr_parser_options *options, void **parser_out)
{
    struct mr_parser *parser;
    int failed = mr_parser_create(options->kernel, &parser);
    if (failed == 0) {
        *parser_out = parser;
    }
    return failed;
}

static void destroy(void *parser)
{
    mr_parser_destroy(parser);
}

// Reads the file through the page cache: memory of the kernel's, which is not the server's own.
static void touch_map(void)
{
    static bool touched;
    if (words.map == NULL || touched) {
        return;
    }
    touched = true;
    int file = open(words.map, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        perror(words.map);
        exit(1);
    }
    size_t size_bytes = (size_t)status.st_size;
    const volatile uint8_t *bytes = mmap(NULL, size_bytes, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) {
        perror(words.map);
        exit(1);
    }
    for (size_t at = 0; at < size_bytes; at += 4096) {
        (void)bytes[at];
    }
    (void)close(file);
}

static void parse(void *parser, const struct mr_payload *payload, uint8_t *records_out,
                  struct mr_result *result_out)
{
    uint64_t seen_ns = mr_clock_ns();
    uint64_t join_ns = service_ns / JOIN_OF > JOIN_NS_MIN ? service_ns / JOIN_OF : JOIN_NS_MIN;
    uint64_t begin_ns = seen_ns - free_ns < join_ns ? free_ns : seen_ns;
    mr_parser_parse(parser, payload->json, payload->json_bytes, records_out, result_out);
    uint64_t now_ns = mr_clock_ns();
    free_ns = begin_ns + service_ns;
    touch_map();
    while (now_ns < free_ns) {
        now_ns = mr_clock_ns();
    }
    if (visits != NULL && visits_count < LOG_MAX) {
        visits[visits_count++] =
            (struct visit){.seen_ns = seen_ns, .begin_ns = begin_ns, .end_ns = now_ns};
    }
}

static const char *kernel(const void *parser)
{
    return mr_parser_kernel(parser);
}

static size_t libraries(const void *parser, struct mr_library *libraries_out)
{
    (void)parser;
    (void)libraries_out;
    return 0;
}

static int write_log(const char *path)
{
    FILE *file = fopen(path, "we");
    if (file == NULL) {
        return errno;
    }
    (void)fprintf(file, "seen_ns,begin_ns,end_ns\n");
    for (size_t i = 0; i < visits_count; i++) {
        (void)fprintf(file, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", visits[i].seen_ns,
                      visits[i].begin_ns, visits[i].end_ns);
    }
    int written = ferror(file) != 0 ? EIO : 0;
    return fclose(file) != 0 ? errno : written;
}

// Reads our own words before the contract's; returns how many words they are.
static int own_words(int argc, char **argv)
{
    int at = 1;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (strcmp(argv[at], "--service-ns") == 0) {
            service_ns = strtoull(argv[at + 1], NULL, 10);
        } else if (strcmp(argv[at], "--log") == 0) {
            words.log = argv[at + 1];
        } else if (strcmp(argv[at], "--map") == 0) {
            words.map = argv[at + 1];
        } else {
            break;
        }
    }
    return at - 1;
}

int main(int argc, char **argv)
{
    int own = own_words(argc, argv);
    if (words.log != NULL) {
        visits = malloc(LOG_MAX * sizeof *visits);
        if (visits == NULL) {
            return 1;
        }
        memset(visits, 0, LOG_MAX * sizeof *visits); // prefault
    }
    struct mr_contestant contestant = {
        .name = "clocked",
        .version = "1",
        .language = "C",
        .build_flags = "",
        .kernels_help = "those of the project's parser",
        .create = create,
        .destroy = destroy,
        .parse = parse,
        .kernel = kernel,
        .libraries = libraries,
    };
    argv[own] = argv[0];
    int code = mr_serve_main(argc - own, argv + own, &contestant);
    int failed = words.log != NULL ? write_log(words.log) : 0;
    if (failed != 0) {
        (void)fprintf(stderr, "clocked_server: %s: %s\n", words.log, strerror(failed));
        return 1;
    }
    free(visits);
    return code;
}
