// data_fault_plant.c: the hands that plant a fault in a good batch.
#include "data_fault.h"

#include "data_fault_site.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

// The smallest record that there is, for MR_FAULT_MANY.
static const char smallest[] =
    ",{\"id\":0,\"timestamp\":0,\"source\":\"s\",\"kind\":\"log\",\"value\":0,"
    "\"flags\":[],\"message\":\"\"}";

static enum mr_key pick_key(struct mr_fault_site *site, const struct mr_fault_variant *variant)
{
    uint32_t key = variant->key;
    return (enum mr_key)(key == MR_FAULT_ANY_KEY ? mr_rng_below(site->rng, MR_KEY_COUNT) : key);
}

// The one byte `byte` between `from` and `to`, with white space around it.
static struct mr_extent find_byte(const struct mr_fault_site *site, char byte, uint32_t from,
                                  uint32_t to)
{
    const uint8_t *found = memchr(site->batch->json.bytes + from, byte, to - from);
    MR_ASSERT(found != NULL);
    uint32_t at = (uint32_t)(found - site->batch->json.bytes);
    return (struct mr_extent){at, at + 1};
}

static void plant_in_punctuation(struct mr_fault_site *site, const struct mr_fault_variant *variant)
{
    const struct mr_record_map *map = &site->map;
    uint64_t member = mr_rng_below(site->rng, MR_KEY_COUNT - 1);
    uint8_t key = map->order[member];
    uint8_t next = map->order[member + 1];
    struct mr_extent extent = {map->record.start, map->record.start + 1};
    if (variant->op == MR_FAULT_CLOSE) {
        extent = (struct mr_extent){map->record.end - 1, map->record.end};
    } else if (variant->op == MR_FAULT_COMMA) {
        extent = find_byte(site, ',', map->value[key].end, map->key[next].start);
    } else if (variant->op == MR_FAULT_COLON) {
        extent = find_byte(site, ':', map->key[key].end, map->value[key].start);
    }
    mr_fault_exchange_extent(site, variant, extent);
}

// Before or behind a key or a value.
static void plant_in_gap(struct mr_fault_site *site, const struct mr_fault_variant *variant)
{
    uint64_t key = mr_rng_below(site->rng, MR_KEY_COUNT);
    struct mr_extent token =
        mr_rng_below(site->rng, 2) == 0 ? site->map.key[key] : site->map.value[key];
    uint32_t at = mr_rng_below(site->rng, 2) == 0 ? token.start : token.end;
    mr_fault_exchange_extent(site, variant, (struct mr_extent){at, at});
}

static void plant_in_key(struct mr_fault_site *site, const struct mr_fault_variant *variant)
{
    enum mr_key key = pick_key(site, variant);
    mr_fault_fill(site, variant, mr_key_names[key], strlen(mr_key_names[key]));
    mr_fault_exchange(site, site->map.key[key].start, site->map.key[key].end);
}

// Puts site->text as a member behind a random value, or before the first key.
static void add_member(struct mr_fault_site *site)
{
    uint64_t behind = mr_rng_below(site->rng, MR_KEY_COUNT + 1);
    uint32_t at;
    if (behind == MR_KEY_COUNT) {
        at = site->map.key[site->map.order[0]].start;
        mr_buffer_byte(&site->text, ',');
    } else {
        at = site->map.value[behind].end;
        mr_buffer_splice(&site->text, 0, 0, ",", 1);
    }
    mr_fault_exchange(site, at, at);
}

static void plant_twice(struct mr_fault_site *site, bool escaped)
{
    const uint8_t *json = site->batch->json.bytes;
    uint64_t key = mr_rng_below(site->rng, MR_KEY_COUNT);
    struct mr_extent value = site->map.value[key];
    const char *name = mr_key_names[key];
    site->text.length = 0;
    mr_buffer_byte(&site->text, '"');
    if (escaped) {
        static const char hex[] = "0123456789abcdef";
        uint64_t at = mr_rng_below(site->rng, strlen(name));
        const char escape[6] = {'\\', 'u', '0', '0', hex[name[at] >> 4], hex[name[at] & 15]};
        mr_buffer_add(&site->text, name, at);
        mr_buffer_add(&site->text, escape, sizeof escape);
        mr_buffer_text(&site->text, name + at + 1);
    } else {
        mr_buffer_text(&site->text, name);
    }
    mr_buffer_text(&site->text, "\":");
    mr_buffer_add(&site->text, json + value.start, value.end - value.start);
    add_member(site);
}

static void plant_drop(struct mr_fault_site *site)
{
    uint64_t member = mr_rng_below(site->rng, MR_KEY_COUNT);
    uint8_t key = site->map.order[member];
    struct mr_extent gone = {site->map.key[key].start, site->map.value[key].end};
    if (member + 1 < MR_KEY_COUNT) {
        gone.end = site->map.key[site->map.order[member + 1]].start;
    } else {
        gone.start = site->map.value[site->map.order[member - 1]].end;
    }
    site->text.length = 0;
    mr_fault_exchange(site, gone.start, gone.end);
}

// Length of the character or escape at `at`, a surrogate pair being one.
static uint32_t character_length(const uint8_t *at)
{
    if (at[0] == '\\') {
        bool high = at[1] == 'u' && (at[2] | 0x20) == 'd' && strchr("89abAB", at[3]) != NULL;
        return at[1] != 'u' ? 2 : high ? 12 : 6;
    }
    return at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : at[0] >= 0xC0 ? 2 : 1;
}

// The extent of source or message with its quotes: the one that has room for a few more bytes.
static struct mr_extent pick_string(struct mr_fault_site *site)
{
    const uint8_t *at = site->batch->records.bytes;
    for (uint32_t i = 0; i < site->victim; i++) {
        at += mr_record_stride((const void *)at);
    }
    const struct mr_record *record = (const void *)at;
    bool source =
        mr_rng_below(site->rng, 4) == 0 && record->source_bytes + 8u <= MR_SOURCE_BYTES_MAX;
    source = source || record->message_bytes + 8u > MR_MESSAGE_BYTES_MAX;
    return site->map.value[source ? MR_KEY_SOURCE : MR_KEY_MESSAGE];
}

static void plant_in_string(struct mr_fault_site *site, const struct mr_fault_variant *variant)
{
    const uint8_t *json = site->batch->json.bytes;
    struct mr_extent string = pick_string(site);
    uint64_t characters = 0;
    for (uint32_t i = string.start + 1; i < string.end - 1; i += character_length(json + i)) {
        characters++;
    }
    uint32_t at = string.start + 1;
    for (uint64_t skip = mr_rng_below(site->rng, characters + 1); skip > 0; skip--) {
        at += character_length(json + at);
    }
    mr_fault_exchange_extent(site, variant, (struct mr_extent){at, at});
}

static void plant_in_string_end(struct mr_fault_site *site, const struct mr_fault_variant *variant)
{
    struct mr_extent string = pick_string(site);
    mr_fault_exchange_extent(site, variant, (struct mr_extent){string.end - 1, string.end});
}

static void plant_repeated(struct mr_fault_site *site, const struct mr_fault_variant *variant)
{
    struct mr_extent value = site->map.value[pick_key(site, variant)];
    site->text.length = 0;
    if (variant->op == MR_FAULT_DEEP) {
        mr_buffer_fill(&site->text, '[', variant->fill);
        mr_buffer_fill(&site->text, ']', variant->text_bytes * variant->fill);
    } else {
        mr_buffer_byte(&site->text, '"');
        for (uint32_t i = 0; i < variant->fill; i++) {
            mr_buffer_add(&site->text, variant->text, variant->text_bytes);
        }
        mr_buffer_byte(&site->text, '"');
    }
    mr_fault_exchange(site, value.start, value.end);
}

static void plant_many(struct mr_fault_site *site)
{
    site->text.length = 0;
    for (uint32_t i = site->batch->count; i <= MR_BATCH_RECORDS_MAX; i++) {
        mr_buffer_text(&site->text, smallest);
    }
    uint32_t at = mr_fault_array_end(site->batch) - 1;
    mr_fault_exchange(site, at, at);
}

// Cuts within the victim: all of its records are gone or spoilt from there on.
static void plant_cut(struct mr_fault_site *site)
{
    struct mr_extent record = site->map.record;
    site->batch->json.length = mr_rng_between(site->rng, record.start + 1, record.end - 1);
}

// Faults of the text as a whole.
static bool plant_in_batch(struct mr_fault_site *site, const struct mr_fault_variant *variant)
{
    struct mr_batch *batch = site->batch;
    struct mr_extent all = {0, (uint32_t)batch->json.length};
    switch (variant->op) {
    case MR_FAULT_BEFORE:
        all.end = 0;
        break;
    case MR_FAULT_BEHIND:
        all.start = all.end;
        break;
    case MR_FAULT_FIRST:
        all = (struct mr_extent){mr_fault_array_start(batch), mr_fault_array_start(batch) + 1};
        break;
    case MR_FAULT_LAST:
        all = (struct mr_extent){mr_fault_array_end(batch) - 1, mr_fault_array_end(batch)};
        break;
    case MR_FAULT_ARRAY: {
        // In two steps, so that the extents move along.
        const char *rest = memchr(variant->text, '%', variant->text_bytes);
        MR_ASSERT(rest != NULL);
        site->text.length = 0;
        mr_buffer_text(&site->text, rest + 1);
        mr_fault_exchange(site, all.end, all.end);
        site->text.length = 0;
        mr_buffer_add(&site->text, variant->text, (size_t)(rest - variant->text));
        mr_fault_exchange(site, 0, 0);
        return true;
    }
    case MR_FAULT_WHOLE:
        break;
    default:
        return false;
    }
    mr_fault_exchange_extent(site, variant, all);
    return true;
}

static void plant_in_record(struct mr_fault_site *site, const struct mr_fault_variant *variant)
{
    switch (variant->op) {
    case MR_FAULT_CUT:
        plant_cut(site);
        return;
    case MR_FAULT_MANY:
        plant_many(site);
        return;
    case MR_FAULT_RECORD:
        mr_fault_exchange_extent(site, variant, site->map.record);
        return;
    case MR_FAULT_OPEN:
    case MR_FAULT_CLOSE:
    case MR_FAULT_COMMA:
    case MR_FAULT_COLON:
        plant_in_punctuation(site, variant);
        return;
    case MR_FAULT_GAP:
        plant_in_gap(site, variant);
        return;
    case MR_FAULT_KEY:
        plant_in_key(site, variant);
        return;
    case MR_FAULT_VALUE:
        mr_fault_exchange_extent(site, variant, site->map.value[pick_key(site, variant)]);
        return;
    case MR_FAULT_MEMBER:
        mr_fault_fill(site, variant, NULL, 0);
        add_member(site);
        return;
    case MR_FAULT_DROP:
        plant_drop(site);
        return;
    case MR_FAULT_TWICE:
    case MR_FAULT_TWICE_ESCAPED:
        plant_twice(site, variant->op == MR_FAULT_TWICE_ESCAPED);
        return;
    case MR_FAULT_STRING:
        plant_in_string(site, variant);
        return;
    case MR_FAULT_STRING_END:
        plant_in_string_end(site, variant);
        return;
    case MR_FAULT_LONG:
    case MR_FAULT_DEEP:
        plant_repeated(site, variant);
        return;
    default:
        MR_ASSERT(false && "all ops are planted in the batch or in a record");
    }
}

// The records that a later hand must leave alone. The neighbour goes with the victim: where a quote
// or a bracket is missing, reading may stop only there.
static struct mr_spoilt spoilt_by(const struct mr_fault_site *site, enum mr_fault_op op)
{
    uint32_t last = site->batch->count - 1;
    if (op == MR_FAULT_WHOLE) {
        return (struct mr_spoilt){0, last};
    }
    if (op == MR_FAULT_CUT) {
        return (struct mr_spoilt){site->victim, last};
    }
    bool in_batch = op == MR_FAULT_BEFORE || op == MR_FAULT_BEHIND || op == MR_FAULT_ARRAY ||
                    op == MR_FAULT_FIRST || op == MR_FAULT_LAST || op == MR_FAULT_MANY;
    return in_batch ? (struct mr_spoilt){1, 0} : (struct mr_spoilt){site->victim, site->victim + 1};
}

int mr_fault_plant(size_t kind, size_t variant, struct mr_rng *rng, struct mr_batch *batch,
                   struct mr_spoilt *spoilt_out)
{
    MR_ASSERT(batch->count > 0);
    const struct mr_fault_variant *chosen = mr_fault_variant(kind, variant);
    struct mr_fault_site site = {.batch = batch, .rng = rng};
    // A cut in the first record would leave no good one.
    uint32_t first = chosen->op == MR_FAULT_CUT && batch->count > 1 ? 1 : 0;
    site.victim = (uint32_t)mr_rng_between(rng, first, batch->count - 1);
    mr_record_map_make(batch->json.bytes, batch->extent[site.victim], &site.map);
    if (!plant_in_batch(&site, chosen)) {
        plant_in_record(&site, chosen);
    }
    *spoilt_out = spoilt_by(&site, chosen->op);
    bool failed = site.text.failed || batch->json.failed;
    mr_buffer_fini(&site.text);
    return failed ? -ENOMEM : 0;
}
