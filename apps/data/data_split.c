// data_split.c: see data_split.h.
#include "data_split.h"

#include <string.h>

static bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static size_t skip_space(const struct mr_splitter *splitter, size_t at)
{
    while (at < splitter->size_bytes && is_space(splitter->bytes[at])) {
        at++;
    }
    return at;
}

struct mr_splitter mr_splitter_init(const uint8_t *bytes, size_t size_bytes)
{
    struct mr_splitter splitter = {.bytes = bytes, .size_bytes = size_bytes};
    splitter.at = skip_space(&splitter, 0);
    splitter.array = splitter.at < size_bytes && bytes[splitter.at] == '[';
    if (splitter.array) {
        splitter.at++;
        size_t first = skip_space(&splitter, splitter.at);
        if (first < size_bytes && bytes[first] == ']') { // an empty array
            splitter.at = first + 1;
            splitter.ended = true;
        }
    } else {
        splitter.at = 0;
    }
    return splitter;
}

static enum mr_split fault(struct mr_splitter *splitter, size_t at, const char *why,
                           struct mr_piece *piece_out)
{
    *piece_out = (struct mr_piece){.start = at, .end = at, .why = why};
    splitter->at = splitter->size_bytes;
    splitter->ended = true;
    return MR_SPLIT_FAULT;
}

// The end of the element that begins at `at`: the comma or bracket behind it, or the file's end.
static size_t element_end(const struct mr_splitter *splitter, size_t at)
{
    size_t depth = 0;
    for (; at < splitter->size_bytes; at++) {
        uint8_t byte = splitter->bytes[at];
        if (byte == '"') {
            for (at++; at < splitter->size_bytes && splitter->bytes[at] != '"'; at++) {
                at += splitter->bytes[at] == '\\' ? 1 : 0;
            }
        } else if (byte == '{' || byte == '[') {
            depth++;
        } else if (depth == 0 && (byte == ',' || byte == ']')) {
            return at;
        } else if ((byte == '}' || byte == ']') && depth > 0) {
            depth--;
        }
    }
    return splitter->size_bytes;
}

static enum mr_split next_element(struct mr_splitter *splitter, struct mr_piece *piece_out)
{
    size_t start = skip_space(splitter, splitter->at);
    if (splitter->ended) {
        splitter->at = splitter->size_bytes;
        return start < splitter->size_bytes
                   ? fault(splitter, start, "something stands behind the array", piece_out)
                   : MR_SPLIT_END;
    }
    size_t end = element_end(splitter, start);
    if (end >= splitter->size_bytes) {
        return fault(splitter, splitter->size_bytes,
                     "the file ends within the array: cut off, or a quote or bracket is missing",
                     piece_out);
    }
    splitter->at = end + 1;
    splitter->ended = splitter->bytes[end] == ']';
    while (end > start && is_space(splitter->bytes[end - 1])) {
        end--;
    }
    if (end == start) {
        return fault(splitter, start, "a comma without a record", piece_out);
    }
    *piece_out = (struct mr_piece){.start = start, .end = end};
    return MR_SPLIT_PIECE;
}

static enum mr_split next_line(struct mr_splitter *splitter, struct mr_piece *piece_out)
{
    size_t start = skip_space(splitter, splitter->at);
    if (start == splitter->size_bytes) {
        return MR_SPLIT_END;
    }
    const uint8_t *feed = memchr(splitter->bytes + start, '\n', splitter->size_bytes - start);
    size_t end = feed == NULL ? splitter->size_bytes : (size_t)(feed - splitter->bytes);
    splitter->at = end;
    while (is_space(splitter->bytes[end - 1])) {
        end--;
    }
    *piece_out = (struct mr_piece){.start = start, .end = end};
    return MR_SPLIT_PIECE;
}

enum mr_split mr_splitter_next(struct mr_splitter *splitter, struct mr_piece *piece_out)
{
    return splitter->array ? next_element(splitter, piece_out) : next_line(splitter, piece_out);
}
