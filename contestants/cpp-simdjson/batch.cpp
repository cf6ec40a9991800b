// batch.cpp: a batch by simdjson's On-Demand; compiled once for each of its kernels.
//
// CMakeLists.txt says for which (SIMDJSON_BUILTIN_IMPLEMENTATION, CPP_SIMDJSON_TABLE) and hides
// every other symbol, so that no inline function of one kernel is ever taken by another. NOTES.md
// says what was tried.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "kernel.hpp"
#include "record.hpp"

#include <new>

namespace
{

static_assert(MR_PAD_BACK >= simdjson::SIMDJSON_PADDING);

// A parser's memory for batches beyond this is given back after the batch.
constexpr size_t capacity_kept_bytes = 4u << 20;
// Digests of so many records are taken together: by then their heads have left the store buffer.
constexpr uint32_t records_a_group = 16;

uint64_t digest_group(const uint8_t *at, const uint8_t *end)
{
    uint64_t sum = 0;
    while (at < end) {
        const mr_record *record = reinterpret_cast<const mr_record *>(at);
        sum += XXH3_64bits(record, mr_record_bytes(record));
        at += mr_record_stride(record);
    }
    return sum;
}

// What was read so far, and what ended it.
struct outcome {
    mr_error error;
    uint32_t records;
    uint64_t digest;
    uint8_t *end; // behind the last record
};

mr_result rejected(mr_error error, uint32_t record = 0, uint64_t offset = 0)
{
    mr_result result{};
    result.error = error;
    result.error_record = record;
    result.error_offset = offset;
    return result;
}

outcome read_records(const ondemand::parser &parser, ondemand::array array, uint8_t *records_out)
{
    outcome out{MR_OK, 0, 0, records_out};
    uint8_t *group = records_out;
    for (auto result : array) {
        ondemand::object object;
        if (auto code = result.get_object().get(object); code != simdjson::SUCCESS) {
            out.error = error_of(code);
            return out;
        }
        out.error = out.records == MR_BATCH_RECORDS_MAX
                        ? MR_ERROR_RECORDS_MAX
                        : record_reader(parser, out.end).read(object);
        if (out.error != MR_OK) {
            return out;
        }
        out.end += mr_record_stride(reinterpret_cast<const mr_record *>(out.end));
        out.records++;
        if (out.records % records_a_group == 0) {
            out.digest += digest_group(group, out.end);
            group = out.end;
        }
    }
    out.digest += digest_group(group, out.end);
    return out;
}

// Where reading stopped, as far as simdjson knows; 0 where it does not.
uint64_t offset_of(const ondemand::document &document, const mr_payload &payload)
{
    const char *begin = reinterpret_cast<const char *>(payload.json);
    const char *at;
    bool known = document.current_location().get(at) == simdjson::SUCCESS && at >= begin &&
                 at <= begin + payload.json_bytes;
    return known ? static_cast<uint64_t>(at - begin) : 0;
}

mr_result read_document(const ondemand::parser &parser, ondemand::document &document,
                        const mr_payload &payload, uint8_t *records_out)
{
    ondemand::array array;
    if (auto code = document.get_array().get(array); code != simdjson::SUCCESS) {
        return rejected(error_of(code), 0, offset_of(document, payload));
    }
    outcome out = read_records(parser, array, records_out);
    if (out.error == MR_OK && !document.at_end()) {
        out.error = MR_ERROR_TRAILING;
    }
    if (out.error != MR_OK) {
        return rejected(out.error, out.records, offset_of(document, payload));
    }
    mr_result result{};
    result.records = out.records;
    result.digest = out.digest;
    result.used_bytes = static_cast<uint64_t>(out.end - records_out);
    return result;
}

// simdjson skips a byte order mark; the contract does not allow one.
bool has_byte_order_mark(const mr_payload &payload)
{
    return payload.json_bytes >= 3 && std::memcmp(payload.json, "\xEF\xBB\xBF", 3) == 0;
}

mr_result parse_batch(ondemand::parser &parser, const mr_payload &payload, uint8_t *records_out)
{
    if (has_byte_order_mark(payload)) {
        return rejected(MR_ERROR_BOM);
    }
    // Batches of about the same size make it grow once.
    size_t bytes = payload.json_bytes;
    if (bytes > parser.capacity()) {
        if (auto code = parser.allocate(bytes + bytes / 4); code != simdjson::SUCCESS) {
            return rejected(error_of(code));
        }
    }
    ondemand::document document;
    auto code = parser.iterate(payload.json, bytes, bytes + MR_PAD_BACK).get(document);
    if (code != simdjson::SUCCESS) {
        return rejected(error_of(code));
    }
    return read_document(parser, document, payload, records_out);
}

void *create()
{
    return new (std::nothrow) ondemand::parser;
}

void destroy(void *parser)
{
    delete static_cast<ondemand::parser *>(parser);
}

void parse(void *parser_void, const mr_payload *payload, uint8_t *records_out,
           mr_result *result_out)
{
    ondemand::parser &parser = *static_cast<ondemand::parser *>(parser_void);
    *result_out = parse_batch(parser, *payload, records_out);
    if (parser.capacity() > capacity_kept_bytes) {
        parser = ondemand::parser();
    }
}

} // namespace

extern "C" const simdjson_kernel CPP_SIMDJSON_TABLE = {
    .create = create, .destroy = destroy, .parse = parse};
