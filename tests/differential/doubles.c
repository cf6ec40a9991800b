// doubles.c: numbers through every kernel, against strtod(): random ones, and such that lie halfway
// between two doubles or right beside that, in every binary exponent that a value can have.
//
// Options and examples: --help.
//
// Exit codes: 0 all are equal; 2 wrong usage; 3 one is not (it is printed).
#include "base/mr_assert.h"
#include "base/rng.h"

#include <matchrace/record.h>

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BATCH_NUMBERS    128u
#define NUMBER_BYTES_MAX 1200u
#define JSON_BYTES_MAX   (BATCH_NUMBERS * (NUMBER_BYTES_MAX + 160u))
#define KERNELS_MAX      8u
#define EXACT_DIGITS     790 // a midpoint of two doubles has at most 768
#define EXPONENT_FIRST   (-1074)
#define EXPONENT_LAST    (49 - 52) // 2^49 < 1e15 < 2^50

struct run {
    struct mr_parser *parser[KERNELS_MAX];
    size_t parsers;
    struct mr_rng rng;
    uint64_t tested;
    uint64_t batches;
    unsigned waiting;
    char number[BATCH_NUMBERS][NUMBER_BYTES_MAX];
    double expected[BATCH_NUMBERS];
    uint8_t *json; // with its padding around
    uint8_t *records;
};

static void init(struct run *run, uint64_t seed)
{
    *run = (struct run){.rng = mr_rng_seeded(seed)};
    for (size_t i = 0; i < mr_kernel_count() && run->parsers < KERNELS_MAX; i++) {
        struct mr_kernel_info kernel = mr_kernel_by_index(i);
        if (!kernel.supported) {
            printf("kernel %s is not tested: this machine lacks %s\n", kernel.name, kernel.needs);
            continue;
        }
        int failed = mr_parser_create(kernel.name, &run->parser[run->parsers++]);
        MR_ASSERT(failed == 0);
    }
    run->json = calloc(1, MR_PAD_FRONT + JSON_BYTES_MAX + MR_PAD_BACK);
    run->records = malloc(mr_records_capacity(JSON_BYTES_MAX));
    MR_ASSERT(run->json != NULL && run->records != NULL);
}

static void fini(struct run *run)
{
    for (size_t i = 0; i < run->parsers; i++) {
        mr_parser_destroy(run->parser[i]);
    }
    free(run->json);
    free(run->records);
}

// The batch of the numbers that wait, in one of three layouts. Returns its bytes.
static size_t write_batch(struct run *run)
{
    static const char *const layouts[] = {
        "%c{\"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"log\",\"value\":%s,\"flags\":[],"
        "\"message\":\"0123456789\"}",
        "%c{\"value\":%s,\"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"log\",\"flags\":[],"
        "\"message\":\"0123456789\"}",
        "%c{ \"id\":1, \"timestamp\":2, \"source\":\"s\", \"kind\":\"log\", \"value\": %s , "
        "\"flags\":[], \"message\":\"\"}"};
    char *text = (char *)run->json + MR_PAD_FRONT;
    size_t bytes = 0;
    for (unsigned i = 0; i < run->waiting; i++) {
        int more = snprintf(text + bytes, JSON_BYTES_MAX - bytes, layouts[run->batches % 3],
                            i == 0 ? '[' : ',', run->number[i]);
        bytes += (size_t)more;
    }
    text[bytes++] = ']';
    MR_ASSERT(bytes < JSON_BYTES_MAX);
    return bytes;
}

static bool compare(const struct run *run, const char *kernel, const struct mr_result *result)
{
    if (result->error != MR_OK) {
        printf("%s rejects %s: %s\n", kernel, run->number[result->error_record],
               mr_error_text(result->error));
        return false;
    }
    const uint8_t *at = run->records;
    for (unsigned i = 0; i < run->waiting; i++) {
        const struct mr_record *record = (const struct mr_record *)(const void *)at;
        uint64_t expected;
        memcpy(&expected, &run->expected[i], sizeof expected);
        if (record->value_bits != expected) {
            printf("%s: %s is %016" PRIx64 ", strtod says %016" PRIx64 "\n", kernel, run->number[i],
                   record->value_bits, expected);
            return false;
        }
        at += mr_record_stride(record);
    }
    return true;
}

static void flush_batch(struct run *run)
{
    if (run->waiting == 0) {
        return;
    }
    size_t bytes = write_batch(run);
    for (size_t i = 0; i < run->parsers; i++) {
        struct mr_result result;
        mr_parser_parse(run->parser[i], run->json + MR_PAD_FRONT, bytes, run->records, &result);
        if (!compare(run, mr_parser_kernel(run->parser[i]), &result)) {
            exit(3);
        }
    }
    run->tested += run->waiting;
    run->waiting = 0;
    run->batches++;
}

// Takes a number for the next batch, where it is in the range of values.
static void add(struct run *run, const char *number)
{
    double value = strtod(number, NULL);
    if (!(fabs(value) <= 1e15)) {
        return;
    }
    MR_ASSERT(strlen(number) < NUMBER_BYTES_MAX);
    (void)snprintf(run->number[run->waiting], NUMBER_BYTES_MAX, "%s", number);
    run->expected[run->waiting] = value;
    if (++run->waiting == BATCH_NUMBERS) {
        flush_batch(run);
    }
}

static double random_double(struct mr_rng *rng)
{
    for (;;) {
        uint64_t bits = mr_rng_next(rng);
        // Half of them are of everyday size.
        if (bits % 2 == 0) {
            return (double)(int64_t)(bits >> (1 + mr_rng_below(rng, 50))) /
                   (double)(1ull << mr_rng_below(rng, 40));
        }
        double value;
        memcpy(&value, &bits, sizeof value);
        if (fabs(value) <= 1e15) {
            return value;
        }
    }
}

// Digits as they come, with a dot and an exponent somewhere: of any length up to 34.
static void random_digits(struct mr_rng *rng, char out[64])
{
    size_t count = 0;
    if (mr_rng_below(rng, 2) == 0) {
        out[count++] = '-';
    }
    uint64_t whole = mr_rng_below(rng, 16);
    out[count++] = whole == 0 ? '0' : (char)('1' + mr_rng_below(rng, 9));
    for (uint64_t i = 1; i < whole; i++) {
        out[count++] = (char)('0' + mr_rng_below(rng, 10));
    }
    uint64_t places = mr_rng_below(rng, 20);
    if (places > 0) {
        out[count++] = '.';
    }
    for (uint64_t i = 0; i < places; i++) {
        out[count++] = (char)('0' + mr_rng_below(rng, 10));
    }
    out[count] = '\0';
    if (mr_rng_below(rng, 3) == 0) {
        int bound = (int)mr_rng_below(rng, 2) == 0 ? 12 : 330;
        (void)snprintf(out + count, 64 - count, "e%d",
                       (int)mr_rng_below(rng, (uint64_t)bound * 2) - bound);
    }
}

static void add_random(struct run *run)
{
    static const char *const formats[] = {"%.17g", "%.16g", "%.15g", "%.3f",
                                          "%.6f",  "%.17e", "%.21g", "%.25e"};
    char number[512];
    uint64_t which = mr_rng_below(&run->rng, 12);
    if (which < 8) {
        (void)snprintf(number, sizeof number, formats[which], random_double(&run->rng));
    } else {
        random_digits(&run->rng, number);
    }
    add(run, number);
}

// An exact decimal: 0.DIGITS times ten to the power.
struct exact {
    char digits[EXACT_DIGITS + 2];
    int count;
    int power;
};

// The midpoint (2 significand + 1) 2^(exponent - 1), which a long double holds.
static void make_midpoint(uint64_t significand, int exponent, struct exact *exact)
{
    char text[EXACT_DIGITS + 32];
    long double midpoint = ldexpl((long double)(2 * significand + 1), exponent - 1);
    (void)snprintf(text, sizeof text, "%.*Le", EXACT_DIGITS, midpoint);
    exact->digits[0] = text[0];
    memcpy(exact->digits + 1, text + 2, EXACT_DIGITS);
    exact->count = EXACT_DIGITS + 1;
    while (exact->count > 1 && exact->digits[exact->count - 1] == '0') {
        exact->count--;
    }
    exact->digits[exact->count] = '\0';
    exact->power = (int)strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
}

// Adds the number of the first `count` digits and `more`, in a notation that `form` chooses.
static void add_digits(struct run *run, const struct exact *exact, int count, const char *more,
                       unsigned form)
{
    char number[NUMBER_BYTES_MAX + 64];
    const char *sign = form % 2 == 0 ? "" : "-";
    const char *digits = exact->digits;
    if (form % 3 != 0 && exact->power > -30 && exact->power <= 0) {
        (void)snprintf(number, sizeof number, "%s0.%.*s%.*s%s", sign, -exact->power,
                       "000000000000000000000000000000", count, digits, more);
    } else if (form % 3 != 0 && exact->power > 0 && exact->power < count) {
        (void)snprintf(number, sizeof number, "%s%.*s.%.*s%s", sign, exact->power, digits,
                       count - exact->power, digits + exact->power, more);
    } else if (form % 3 != 1) {
        const char *dot = count > 1 || more[0] != '\0' ? "." : "";
        (void)snprintf(number, sizeof number, "%s%c%s%.*s%se%d", sign, digits[0], dot, count - 1,
                       digits + 1, more, exact->power - 1);
    } else {
        (void)snprintf(number, sizeof number, "%s%.*s%sE%+d", sign, count, digits, more,
                       exact->power - count - (int)strlen(more));
    }
    add(run, number);
}

// The midpoint, what is right above and below it, and what is left of it after some digits.
static void add_around(struct run *run, struct exact *exact)
{
    static const char zeros[] = "00000000000000000000000000000000";
    int count = exact->count;
    for (unsigned form = 0; form < 3; form++) {
        add_digits(run, exact, count, "", form);
        add_digits(run, exact, count, zeros, form);
        add_digits(run, exact, count, "1", form + 1);
        add_digits(run, exact, count, "00000000000000000001", form + 1);
    }
    for (int cut = 15; cut < 36 && cut < count; cut++) {
        add_digits(run, exact, cut, "", (unsigned)cut);
        add_digits(run, exact, cut, "", (unsigned)cut + 3);
        add_digits(run, exact, cut, "9", (unsigned)cut + 1);
        add_digits(run, exact, cut, exact->digits[cut] == '9' ? "91" : "95", (unsigned)cut);
    }
    // The last digit of a midpoint is a 5, or the number is a small whole one.
    exact->digits[count - 1]--;
    if (exact->digits[0] != '0') {
        add_digits(run, exact, count, "9", (unsigned)count);
        add_digits(run, exact, count, "9999999999999999999999", (unsigned)count + 1);
    }
}

static uint64_t pick_significand(struct mr_rng *rng, uint64_t turn, bool subnormal)
{
    const uint64_t hidden = 1ull << 52;
    uint64_t random = mr_rng_next(rng) >> 12;
    uint64_t fraction = turn == 0   ? 0
                        : turn == 1 ? hidden - 1
                        : turn == 2 ? 1
                                    : random >> mr_rng_below(rng, subnormal ? 52 : 2);
    return subnormal ? fraction : hidden | fraction;
}

static void add_halfway(struct run *run, uint64_t turns)
{
    struct exact exact;
    for (int exponent = EXPONENT_FIRST; exponent <= EXPONENT_LAST; exponent++) {
        for (uint64_t turn = 0; turn < turns; turn++) {
            if (exponent == EXPONENT_FIRST) {
                make_midpoint(pick_significand(&run->rng, turn, true), exponent, &exact);
                add_around(run, &exact);
            }
            make_midpoint(pick_significand(&run->rng, turn, false), exponent, &exact);
            add_around(run, &exact);
        }
    }
    flush_batch(run);
}

static void show_progress(uint64_t done, uint64_t all)
{
    if (isatty(STDERR_FILENO) == 1) {
        (void)fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " random numbers", done, all);
        (void)fputs(done == all ? "\n" : "", stderr);
    }
}

static const char usage[] =
    "usage: ./lab prove doubles [--random COUNT] [--halfway COUNT] [--seed NUMBER]\n"
    "\n"
    "  --random COUNT   random numbers within the range of values; 1000000\n"
    "  --halfway COUNT  midpoints of two doubles in each binary exponent, with what is beside "
    "them; "
    "2\n"
    "  --seed NUMBER    of both; 1\n"
    "\n"
    "Examples:\n"
    "  ./lab prove doubles                        --random 100000000 --halfway 30\n"
    "  ./lab prove doubles --random 1000000 --seed 7\n";

static uint64_t option(int argc, char **argv, const char *name, uint64_t otherwise)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        char *end;
        if (strcmp(argv[i], name) == 0) {
            uint64_t number = strtoull(argv[i + 1], &end, 10);
            return *end == '\0' ? number : UINT64_MAX;
        }
    }
    return otherwise;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        (void)fputs(usage, stdout);
        return 0;
    }
    uint64_t random = option(argc, argv, "--random", 1000000);
    uint64_t halfway = option(argc, argv, "--halfway", 2);
    uint64_t seed = option(argc, argv, "--seed", 1);
    bool known = argc % 2 == 1;
    for (int i = 1; i < argc; i += 2) {
        known = known && (strcmp(argv[i], "--random") == 0 || strcmp(argv[i], "--halfway") == 0 ||
                          strcmp(argv[i], "--seed") == 0);
    }
    if (!known || random == UINT64_MAX || halfway == UINT64_MAX || seed == UINT64_MAX) {
        (void)fputs("doubles: wrong usage; --help shows options and examples\n", stderr);
        return 2;
    }
    static struct run run;
    init(&run, seed);
    add_halfway(&run, halfway);
    uint64_t constructed = run.tested;
    // Some are out of the range of values, and do not count.
    while (run.tested - constructed < random) {
        add_random(&run);
        if (run.waiting == 0 && run.batches % 8192 == 0) {
            show_progress(run.tested - constructed, random);
        }
    }
    show_progress(random, random);
    printf("%" PRIu64 " constructed and %" PRIu64 " random numbers, %zu kernels: all equal to "
           "strtod\n",
           constructed, run.tested - constructed, run.parsers);
    fini(&run);
    return 0;
}
