// generator_words.c: see generator_words.h.
#include "generator_words.h"

#include "base/mr_assert.h"

#include <stdio.h>
#include <string.h>

static void add(struct mr_generator_words *words, const char *word)
{
    MR_ASSERT(words->count + 1 < MR_GENERATOR_WORDS_MAX);
    words->argv[words->count++] = word;
    words->argv[words->count] = NULL;
}

static void add_text(struct mr_generator_words *words, const char *option, const char *value)
{
    add(words, option);
    add(words, value);
}

static void add_number(struct mr_generator_words *words, const char *option, uint64_t value,
                       const char *unit)
{
    MR_ASSERT(words->numbers_count < MR_GENERATOR_NUMBERS_MAX);
    char *text = words->number[words->numbers_count++];
    (void)snprintf(text, sizeof words->number[0], "%llu%s", (unsigned long long)value, unit);
    add_text(words, option, text);
}

static bool add_plan(struct mr_generator_words *words, const struct mr_cell_load *load)
{
    add_text(words, "--plan", load->plan);
    if (load->steps_count > 0) {
        if (!mr_cell_load_steps_text(load, words->steps, sizeof words->steps)) {
            return false;
        }
        add_text(words, "--steps", words->steps);
    } else if (load->period_ns > 0) {
        MR_ASSERT(load->burst_batches > 0);
        add_number(words, "--burst", load->burst_batches, "");
        add_number(words, "--period", load->period_ns, "ns");
    } else if (mr_cell_load_is_open(load)) {
        MR_ASSERT(load->rate.per_s > 0);
        add_number(words, "--rate", load->rate.per_s, "");
    }
    return true;
}

static void add_load(struct mr_generator_words *words, const struct mr_cell_load *load)
{
    add_number(words, "--connections", load->connections, "");
    add_number(words, "--depth", load->depth, "");
    if (load->in_flight > 0) {
        add_number(words, "--in-flight", load->in_flight, "");
    }
    if (!load->verify) {
        add(words, "--no-verify");
    }
    if (!load->record) {
        add(words, "--no-record");
    }
    if (!load->vary) {
        add(words, "--same-batches");
    }
    if (load->null_sender) {
        add(words, "--null-sender");
    }
}

bool mr_generator_words(const struct mr_trial_run *run, const char *address,
                        const char *result_path, struct mr_generator_words *words_out)
{
    const struct mr_rules *rules = &run->race->matrix.rules;
    words_out->count = 0;
    words_out->numbers_count = 0;
    add_text(words_out, run->race->program, "load");
    add_text(words_out, "--connect", address);
    add_text(words_out, "--data", run->data->path);
    add_text(words_out, "--mode", run->mode);
    bool managed = run->entry->contestant.managed;
    add_number(words_out, "--warmup", mr_rules_warmup_ns(rules, managed), "ns");
    if (mr_rules_warmup_max_ns(rules, managed) > mr_rules_warmup_ns(rules, managed) &&
        mr_cell_load_is_whole(run->load) && !mr_cell_load_is_open(run->load)) {
        add_number(words_out, "--warmup-max", mr_rules_warmup_max_ns(rules, managed), "ns");
    }
    add_number(words_out, "--window", mr_cell_load_window_ns(run->load, rules->window_ns), "ns");
    add_number(words_out, "--drain-limit", rules->drain_limit_ns, "ns");
    add_number(words_out, "--seed", run->trial.seed, "");
    add_text(words_out, "--out", result_path);
    add(words_out, "--events");
    add(words_out, "--trust-hashes");
    if (rules->gates.action[MR_GATE_NOVELTY] != MR_GATE_OFF && mr_cell_load_is_whole(run->load) &&
        strcmp(run->mode, "drain") != 0) {
        add(words_out, "--novelty");
    }
    add_load(words_out, run->load);
    return add_plan(words_out, run->load);
}
