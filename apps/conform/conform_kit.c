// conform_kit.c: see conform_kit.h.
#include "conform_kit.h"

#include "conform_clock.h"
#include "base/clock.h"
#include "base/mr_assert.h"
#include "conform_stop.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// After this many vain waits the kit waits shorter, and gives up.
#define TIMEOUTS_SHORTER 3
#define TIMEOUTS_GIVE_UP 20
#define PATIENCE_SHORT   (1500 * MR_NS_PER_MS)
#define WORDS_MAX        16

static struct mr_finding *finding(struct mr_kit *kit, enum mr_rule rule)
{
    MR_ASSERT(rule < MR_RULE_COUNT);
    return &kit->finding[kit->mode][rule];
}

bool mr_kit_wants(const struct mr_kit *kit, enum mr_rule rule)
{
    return kit->finding[kit->mode][rule].selected;
}

void mr_kit_ok(struct mr_kit *kit, enum mr_rule rule)
{
    struct mr_finding *found = finding(kit, rule);
    if (found->outcome == MR_OUTCOME_NONE) {
        found->outcome = MR_OUTCOME_OK;
    }
}

void mr_kit_fail(struct mr_kit *kit, enum mr_rule rule, const char *expected, const char *format,
                 ...)
{
    struct mr_finding *found = finding(kit, rule);
    if (found->outcome == MR_OUTCOME_FAILED || mr_conform_stop_asked()) {
        return; // what comes to an end by a signal is nobody's fault
    }
    found->outcome = MR_OUTCOME_FAILED;
    (void)snprintf(found->expected, sizeof found->expected, "%s", expected);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(found->got, sizeof found->got, format, arguments);
    va_end(arguments);
}

void mr_kit_skip(struct mr_kit *kit, enum mr_rule rule, const char *why)
{
    struct mr_finding *found = finding(kit, rule);
    if (found->outcome == MR_OUTCOME_NONE) {
        found->outcome = MR_OUTCOME_SKIPPED;
        (void)snprintf(found->got, sizeof found->got, "%s", why);
    }
}

uint64_t mr_kit_deadline(const struct mr_kit *kit)
{
    return mr_conform_now_ns() + kit->patience_ns;
}

void mr_kit_timed_out(struct mr_kit *kit)
{
    kit->timeouts++;
    if (kit->timeouts >= TIMEOUTS_SHORTER && kit->patience_ns > PATIENCE_SHORT) {
        kit->patience_ns = PATIENCE_SHORT;
    }
    kit->given_up = kit->given_up || kit->timeouts >= TIMEOUTS_GIVE_UP;
}

bool mr_kit_over(const struct mr_kit *kit)
{
    return mr_conform_stop_asked() || kit->given_up || mr_conform_now_ns() >= kit->deadline_ns;
}

bool mr_kit_serve(struct mr_kit *kit, enum mr_rule rule, const char *const *options,
                  struct mr_subject *subject_out)
{
    const char *words[WORDS_MAX + 1] = {"serve", "--listen", "127.0.0.1:0", "--mode",
                                        mr_mode_names[kit->mode]};
    size_t count = 5;
    bool threads = false;
    for (size_t i = 0; options[i] != NULL && count < WORDS_MAX - 2; i++) {
        threads = threads || strcmp(options[i], "--threads") == 0;
        words[count++] = options[i];
    }
    if (!threads) {
        words[count++] = "--threads";
        words[count++] = "1";
    }
    struct mr_subject_fault fault;
    int result = mr_subject_start(subject_out, &kit->plan, words, false, &fault);
    if (result == 0) {
        result = mr_subject_listen(subject_out, mr_kit_deadline(kit), &fault);
    }
    if (result == 0) {
        return true;
    }
    if (result == -ETIMEDOUT) {
        mr_kit_timed_out(kit);
    }
    mr_kit_fail(kit, rule, "a server that listens", "%s", fault.text);
    mr_kit_stop(kit, subject_out);
    return false;
}

void mr_kit_stop(struct mr_kit *kit, struct mr_subject *subject)
{
    mr_subject_end(subject, kit->patience_ns / 4);
}

struct mr_subject *mr_kit_shared(struct mr_kit *kit, enum mr_rule rule)
{
    if (kit->shared_runs && !mr_subject_alive(&kit->shared)) {
        mr_kit_drop_shared(kit);
    }
    static const char *const no_options[] = {NULL};
    if (!kit->shared_runs) {
        kit->shared_runs = mr_kit_serve(kit, rule, no_options, &kit->shared);
    }
    return kit->shared_runs ? &kit->shared : NULL;
}

void mr_kit_drop_shared(struct mr_kit *kit)
{
    if (kit->shared_runs) {
        mr_kit_stop(kit, &kit->shared);
        kit->shared_runs = false;
    }
}
