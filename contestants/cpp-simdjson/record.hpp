// record.hpp: one object of a batch to a typed record, by On-Demand, strictly by the contract.
//
// Who is strict about what: simdjson's first pass refuses bad UTF-8, raw control bytes and strings
// without end; its getters refuse what is not of their type; here stand keys (unknown, missing,
// there twice), ranges, lengths, words. Keys and words are compared as they stand in the text; only
// one that is none of the schema's is unescaped and compared again.
#ifndef CPP_SIMDJSON_RECORD_HPP
#define CPP_SIMDJSON_RECORD_HPP

#include "exact_double.hpp"
#include "words.hpp"

#include <matchrace/contract.h>
#include <matchrace/result.h>

#include <bit>
#include <simdjson.h>

namespace
{

namespace ondemand = simdjson::ondemand;

// Unescaping writes whole blocks; a source of 64 bytes ends in one that begins at its byte 64.
constexpr size_t scratch_offset = MR_SOURCE_BYTES_MAX + simdjson::SIMDJSON_PADDING;
// What a record may have written behind the bytes that its text of JSON can account for.
static_assert(MR_RECORD_HEAD_BYTES + scratch_offset + simdjson::SIMDJSON_PADDING <=
              MR_RECORDS_SLACK);

inline mr_error error_of(simdjson::error_code code)
{
    switch (code) {
    case simdjson::SUCCESS:
        return MR_OK;
    case simdjson::EMPTY:
        return MR_ERROR_EMPTY;
    case simdjson::UTF8_ERROR:
        return MR_ERROR_UTF8;
    case simdjson::UNESCAPED_CHARS:
        return MR_ERROR_CONTROL;
    case simdjson::UNCLOSED_STRING:
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
        return MR_ERROR_TRUNCATED;
    case simdjson::STRING_ERROR:
        return MR_ERROR_ESCAPE;
    case simdjson::NUMBER_ERROR:
        return MR_ERROR_NUMBER;
    case simdjson::INCORRECT_TYPE:
        return MR_ERROR_TYPE;
    case simdjson::MEMALLOC:
    case simdjson::CAPACITY:
        return MR_ERROR_MEMORY;
    default:
        return MR_ERROR_SYNTAX;
    }
}

// Reads the record of one object into its place. An object of this class is used once.
class record_reader
{
  public:
    record_reader(const ondemand::parser &parser, uint8_t *place)
        : parser_(parser), head_(*reinterpret_cast<mr_record *>(place)),
          text_(place + MR_RECORD_HEAD_BYTES)
    {
    }

    // MR_OK, or the first rule that is broken; then the record is undefined.
    [[nodiscard]] mr_error read(ondemand::object object)
    {
        ondemand::object_iterator at;
        ondemand::object_iterator end;
        if (auto code = object.begin().get(at); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        if (object.end().get(end) != simdjson::SUCCESS) {
            return MR_ERROR_SYNTAX;
        }
        head_.flags = 0;
        mr_error error = MR_OK;
        for (; error == MR_OK && at != end; ++at) {
            error = read_field(*at);
        }
        if (error != MR_OK) {
            return error;
        }
        return seen_ == all_members ? read_message() : MR_ERROR_KEY_MISSING;
    }

  private:
    static constexpr unsigned all_members = (1u << words::members) - 1;

    mr_error read_field(simdjson::simdjson_result<ondemand::field> result)
    {
        ondemand::field field;
        // Its error first: a field that has one has no key.
        if (auto code = std::move(result).get(field); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        unsigned member = words::key_of(field.key().raw());
        if (member == words::unknown) [[unlikely]] {
            if (mr_error error = code_of_escaped(words::keys, field.key(), &member)) {
                return error;
            }
            if (member == words::unknown) {
                return MR_ERROR_KEY_UNKNOWN;
            }
        }
        if ((seen_ >> member & 1) != 0) [[unlikely]] {
            return MR_ERROR_KEY_TWICE;
        }
        seen_ |= 1u << member;
        return read_member(member, field.value());
    }

    mr_error read_member(unsigned member, ondemand::value &value)
    {
        switch (member) {
        case words::id:
            return read_integer(value, MR_ID_MAX, &head_.id);
        case words::timestamp:
            return read_integer(value, MR_TIMESTAMP_US_MAX, &head_.timestamp_us);
        case words::source:
            return read_source(value);
        case words::kind:
            return read_kind(value);
        case words::value:
            return read_value(value);
        case words::flags:
            return read_flags(value);
        default:
            return error_of(value.get_raw_json_string().get(message_));
        }
    }

    // The code of a raw string by its unescaped text. The text goes where the record's will stand
    // later; a source may be there already.
    mr_error code_of_escaped(const words::names &set, ondemand::raw_json_string raw,
                             unsigned *code_out)
    {
        uint8_t *scratch = text_ + scratch_offset;
        std::string_view text;
        if (auto code = parser_.unescape(raw, scratch).get(text); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        *code_out = words::code_of_text(set, text);
        return MR_OK;
    }

    mr_error read_integer(ondemand::value &value, uint64_t limit, uint64_t *number_out)
    {
        if (auto code = value.get_uint64().get(*number_out); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        return *number_out <= limit ? MR_OK : MR_ERROR_INTEGER_RANGE;
    }

    mr_error read_value(ondemand::value &value)
    {
        double number;
        if (auto code = value.get_double().get(number); code != simdjson::SUCCESS) [[unlikely]] {
            // What it refuses is no number, infinite, or has an exponent of twenty digits or more.
            if (code != simdjson::NUMBER_ERROR ||
                !exact_double_read(value.raw_json_token(), &number)) {
                return error_of(code);
            }
        }
        head_.value_bits = std::bit_cast<uint64_t>(number);
        return number >= -MR_VALUE_LIMIT && number <= MR_VALUE_LIMIT ? MR_OK : MR_ERROR_VALUE_RANGE;
    }

    mr_error read_kind(ondemand::value &value)
    {
        ondemand::raw_json_string raw;
        if (auto code = value.get_raw_json_string().get(raw); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        unsigned kind = words::table<words::kinds>::code_of(raw.raw());
        if (kind == words::unknown) [[unlikely]] {
            if (mr_error error = code_of_escaped(words::kinds, raw, &kind)) {
                return error;
            }
        }
        head_.kind = static_cast<uint8_t>(kind);
        return kind != words::unknown ? MR_OK : MR_ERROR_KIND;
    }

    mr_error read_flag(ondemand::value value, unsigned *flags_io)
    {
        ondemand::raw_json_string raw;
        if (auto code = value.get_raw_json_string().get(raw); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        unsigned flag = words::table<words::flag_names>::code_of(raw.raw());
        if (flag == words::unknown) [[unlikely]] {
            if (mr_error error = code_of_escaped(words::flag_names, raw, &flag)) {
                return error;
            }
            if (flag == words::unknown) {
                return MR_ERROR_FLAG;
            }
        }
        if ((*flags_io >> flag & 1) != 0) [[unlikely]] {
            return MR_ERROR_FLAG_TWICE;
        }
        *flags_io |= 1u << flag;
        return MR_OK;
    }

    mr_error read_flags(ondemand::value &value)
    {
        ondemand::array array;
        if (auto code = value.get_array().get(array); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        unsigned flags = 0;
        for (auto result : array) {
            ondemand::value item;
            if (auto code = result.get(item); code != simdjson::SUCCESS) {
                return error_of(code);
            }
            if (mr_error error = read_flag(item, &flags)) {
                return error;
            }
        }
        head_.flags = static_cast<uint8_t>(flags);
        return MR_OK;
    }

    mr_error read_source(ondemand::value &value)
    {
        ondemand::raw_json_string raw;
        if (auto code = value.get_raw_json_string().get(raw); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        uint8_t *end = text_;
        std::string_view text;
        if (auto code = parser_.unescape(raw, end).get(text); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        head_.source_bytes = static_cast<uint16_t>(text.size());
        return text.size() - 1 < MR_SOURCE_BYTES_MAX ? MR_OK : MR_ERROR_LENGTH;
    }

    // Last of all, wherever its key stood: only now it is known where its text begins.
    mr_error read_message()
    {
        uint8_t *end = text_ + head_.source_bytes;
        std::string_view text;
        if (auto code = parser_.unescape(message_, end).get(text); code != simdjson::SUCCESS) {
            return error_of(code);
        }
        head_.message_bytes = static_cast<uint32_t>(text.size());
        return text.size() <= MR_MESSAGE_BYTES_MAX ? MR_OK : MR_ERROR_LENGTH;
    }

    const ondemand::parser &parser_;
    mr_record &head_;
    uint8_t *text_;
    ondemand::raw_json_string message_;
    unsigned seen_ = 0;
};

} // namespace

#endif
