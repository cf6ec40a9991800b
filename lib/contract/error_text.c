// error_text.c: a sentence for people about every reason for a rejection.
#include <matchrace/result.h>

static const char *const sentences[] = {
    [MR_OK] = "accepted",
    [MR_ERROR_REJECTED] = "rejected; the parser does not say why",
    [MR_ERROR_EMPTY] = "the text is empty; a batch is a JSON array, at least []",
    [MR_ERROR_BOM] = "the text begins with a byte order mark; JSON has none",
    [MR_ERROR_UTF8] = "these bytes are not valid UTF-8",
    [MR_ERROR_SYNTAX] = "this byte cannot stand here in a batch",
    [MR_ERROR_TRUNCATED] = "the text ends too early",
    [MR_ERROR_TRAILING] = "something other than white space follows the array",
    [MR_ERROR_CONTROL] = "a raw control character in a string; write it as an escape",
    [MR_ERROR_ESCAPE] = "this is not one of the escapes of JSON",
    [MR_ERROR_SURROGATE] = "this escape names a surrogate without its other half",
    [MR_ERROR_NUMBER] = "this is not a number of JSON",
    [MR_ERROR_TYPE] = "a value of this type does not belong to this key",
    [MR_ERROR_INTEGER_RANGE] = "id goes up to 9223372036854775807, timestamp to 253402300799999999",
    [MR_ERROR_VALUE_RANGE] = "value must lie between -1e15 and 1e15",
    [MR_ERROR_LENGTH] = "source must have 1 to 64 bytes of UTF-8, message at most 4096",
    [MR_ERROR_KEY_UNKNOWN] = "a record has no such key",
    [MR_ERROR_KEY_TWICE] = "this key is there twice in its record",
    [MR_ERROR_KEY_MISSING] = "the record ends and not all of its seven keys were there",
    [MR_ERROR_KIND] = "not one of metric event log trace alert audit span state",
    [MR_ERROR_FLAG] = "not one of urgent sampled retry internal encrypted batched partial replayed",
    [MR_ERROR_FLAG_TWICE] = "this flag is there twice in its record",
    [MR_ERROR_RECORDS_MAX] = "a batch holds at most 65535 records",
    [MR_ERROR_MEMORY] = "out of memory while parsing",
};

const char *mr_error_text(uint32_t error)
{
    if (error >= sizeof sentences / sizeof sentences[0]) {
        return "rejected for a reason that this program does not know";
    }
    return sentences[error];
}
