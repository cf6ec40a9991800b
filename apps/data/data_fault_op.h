// data_fault_op.h: the ways in which a fault is planted: between its table and its hands.
#ifndef MR_DATA_FAULT_OP_H
#define MR_DATA_FAULT_OP_H

#include "data_batch.h"

#include <stddef.h>
#include <stdint.h>

// What is done with a variant's text. "%" in it stands for what it takes the place of.
enum mr_fault_op {
    MR_FAULT_WHOLE,         // instead of the batch's text
    MR_FAULT_BEFORE,        // before the batch's text
    MR_FAULT_BEHIND,        // behind it
    MR_FAULT_ARRAY,         // instead of the text, "%" being the text
    MR_FAULT_CUT,           // the text ends within a record
    MR_FAULT_MANY,          // more records than a batch may have
    MR_FAULT_FIRST,         // instead of the array's opening bracket
    MR_FAULT_LAST,          // instead of its closing bracket
    MR_FAULT_RECORD,        // instead of a record
    MR_FAULT_OPEN,          // instead of a record's opening brace
    MR_FAULT_CLOSE,         // instead of its closing brace
    MR_FAULT_COMMA,         // instead of a comma between members
    MR_FAULT_COLON,         // instead of a colon
    MR_FAULT_GAP,           // between two tokens of a record
    MR_FAULT_KEY,           // instead of a key, "%" being its plain name without quotes
    MR_FAULT_VALUE,         // instead of a value
    MR_FAULT_MEMBER,        // one more member
    MR_FAULT_DROP,          // a member is left out
    MR_FAULT_TWICE,         // a member is there twice
    MR_FAULT_TWICE_ESCAPED, // the same, its key written with an escape
    MR_FAULT_STRING,        // into source or message, between two characters
    MR_FAULT_STRING_END,    // instead of the closing quote of source or message
    MR_FAULT_LONG,          // a string of `fill` times the text instead of a value
    MR_FAULT_DEEP,          // `fill` brackets instead of a value, closed again when text is "]"
};

#define MR_FAULT_ANY_KEY MR_KEY_COUNT // a random one

// A variant of a kind.
struct mr_fault_variant {
    const char *kind;
    enum mr_fault_op op;
    uint32_t key; // enum mr_key or MR_FAULT_ANY_KEY, where the op asks for one
    const char *text;
    size_t text_bytes;
    uint32_t fill;
};

// Variant `variant` of `kind`.
const struct mr_fault_variant *mr_fault_variant(size_t kind, size_t variant);

#endif
