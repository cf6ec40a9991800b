// proc_text.c: see proc_text.h.
#include "proc_text.h"

#include <ctype.h>
#include <string.h>

// Numbers of /proc/PID/stat behind the state, the first being the parent (field 4 of proc(5)).
enum stat_field {
    FIELD_MINOR_FAULTS = 10 - 4,
    FIELD_MAJOR_FAULTS = 12 - 4,
    FIELD_USER = 14 - 4,
    FIELD_SYSTEM = 15 - 4,
    FIELD_THREADS = 20 - 4,
    FIELD_START = 22 - 4,
    FIELD_CORE = 39 - 4,
    FIELDS = FIELD_CORE + 1,
};

bool mr_proc_number(const char **at, uint64_t *number_out)
{
    const char *from = *at;
    while (*from == ' ' || *from == '\t') {
        from++;
    }
    if (!isdigit((unsigned char)*from)) {
        return false;
    }
    uint64_t number = 0;
    for (; isdigit((unsigned char)*from); from++) {
        if (__builtin_mul_overflow(number, 10u, &number) ||
            __builtin_add_overflow(number, (uint64_t)(*from - '0'), &number)) {
            return false;
        }
    }
    *at = from;
    *number_out = number;
    return true;
}

// Reads up to FIELDS numbers, some of which may be negative (they read as 0: none that we use is).
static size_t read_fields(const char *at, uint64_t fields[FIELDS])
{
    size_t count = 0;
    while (count < FIELDS) {
        while (*at == ' ') {
            at++;
        }
        bool negative = *at == '-';
        at += negative;
        if (!mr_proc_number(&at, &fields[count])) {
            break;
        }
        fields[count] = negative ? 0 : fields[count];
        count++;
    }
    return count;
}

bool mr_proc_stat_parse(const char *text, struct mr_proc_stat *stat_out)
{
    const char *open = strchr(text, '(');
    const char *close = strrchr(text, ')');
    if (open == NULL || close == NULL || close < open || close[1] != ' ' || close[2] == '\0' ||
        close[3] != ' ') {
        return false;
    }
    uint64_t fields[FIELDS];
    size_t count = read_fields(close + 4, fields);
    if (count <= FIELD_START) {
        return false;
    }
    *stat_out = (struct mr_proc_stat){
        .state = close[2],
        .minor_faults = fields[FIELD_MINOR_FAULTS],
        .major_faults = fields[FIELD_MAJOR_FAULTS],
        .user_ticks = fields[FIELD_USER],
        .system_ticks = fields[FIELD_SYSTEM],
        .threads_count = fields[FIELD_THREADS],
        .start_ticks = fields[FIELD_START],
    };
    if (count > FIELD_CORE) {
        stat_out->core = mr_reading_of(fields[FIELD_CORE]);
    }
    size_t length = (size_t)(close - open) - 1;
    length = length < MR_PROC_NAME_MAX ? length : MR_PROC_NAME_MAX - 1;
    memcpy(stat_out->name, open + 1, length);
    return true;
}

static const char *next_line(const char *at)
{
    const char *newline = strchr(at, '\n');
    return newline == NULL ? at + strlen(at) : newline + 1;
}

struct mr_reading mr_proc_key(const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = text; *at != '\0'; at = next_line(at)) {
        if (strncmp(at, key, length) != 0) {
            continue;
        }
        const char *value = at + length;
        value += *value == ':';
        uint64_t number;
        if (value[0] != ' ' && value[0] != '\t') {
            continue;
        }
        if (!mr_proc_number(&value, &number)) {
            return (struct mr_reading){0};
        }
        uint64_t unit = strncmp(value, " kB", 3) == 0 ? 1024 : 1;
        if (__builtin_mul_overflow(number, unit, &number)) {
            return (struct mr_reading){0};
        }
        return mr_reading_of(number);
    }
    return (struct mr_reading){0};
}

void mr_proc_status_parse(const char *text, struct mr_proc_status *status_out)
{
    *status_out = (struct mr_proc_status){
        .peak_bytes = mr_proc_key(text, "VmHWM"),
        .resident_bytes = mr_proc_key(text, "VmRSS"),
        .anon_bytes = mr_proc_key(text, "RssAnon"),
        .file_bytes = mr_proc_key(text, "RssFile"),
        .shared_bytes = mr_proc_key(text, "RssShmem"),
        .swapped_bytes = mr_proc_key(text, "VmSwap"),
        .threads_count = mr_proc_key(text, "Threads"),
        .voluntary_switches = mr_proc_key(text, "voluntary_ctxt_switches"),
        .involuntary_switches = mr_proc_key(text, "nonvoluntary_ctxt_switches"),
    };
}

bool mr_proc_schedstat_parse(const char *text, struct mr_proc_schedstat *out)
{
    const char *at = text;
    return mr_proc_number(&at, &out->exec_ns) && mr_proc_number(&at, &out->run_delay_ns) &&
           mr_proc_number(&at, &out->slices_count);
}

static bool core_line_parse(const char *at, struct mr_core_ticks *ticks_out)
{
    uint64_t core;
    if (!mr_proc_number(&at, &core) || core > UINT32_MAX) {
        return false;
    }
    *ticks_out = (struct mr_core_ticks){.core = (unsigned)core};
    uint64_t *const fields[] = {&ticks_out->user,   &ticks_out->nice,   &ticks_out->system,
                                &ticks_out->idle,   &ticks_out->iowait, &ticks_out->irq,
                                &ticks_out->softirq};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (!mr_proc_number(&at, fields[i])) {
            return false;
        }
    }
    ticks_out->steal.known = mr_proc_number(&at, &ticks_out->steal.value);
    return true;
}

size_t mr_core_ticks_parse(const char *text, struct mr_core_ticks *cores, size_t capacity)
{
    size_t count = 0;
    for (const char *at = text; *at != '\0'; at = next_line(at)) {
        if (strncmp(at, "cpu", 3) != 0 || !isdigit((unsigned char)at[3])) {
            continue;
        }
        struct mr_core_ticks ticks;
        if (!core_line_parse(at + 3, &ticks)) {
            return 0;
        }
        if (count < capacity) {
            cores[count] = ticks;
        }
        count++;
    }
    return count;
}

bool mr_bracketed_word(const char *text, char *word_out, size_t capacity)
{
    const char *open = strchr(text, '[');
    const char *close = open == NULL ? NULL : strchr(open, ']');
    if (close == NULL || capacity == 0) {
        return false;
    }
    size_t length = (size_t)(close - open) - 1;
    length = length < capacity ? length : capacity - 1;
    memcpy(word_out, open + 1, length);
    word_out[length] = '\0';
    return true;
}

struct mr_reading mr_sockstat_tcp_pages(const char *text)
{
    for (const char *at = text; *at != '\0'; at = next_line(at)) {
        if (strncmp(at, "TCP:", 4) != 0) {
            continue;
        }
        const char *end = next_line(at);
        const char *value = strstr(at, " mem ");
        uint64_t pages;
        if (value == NULL || value >= end) {
            break;
        }
        value += 5;
        if (mr_proc_number(&value, &pages)) {
            return mr_reading_of(pages);
        }
        break;
    }
    return (struct mr_reading){0};
}

// The path stands behind five fields (addresses, rights, offset, device, inode), after spaces.
static const char *path_of_map(const char *at, const char *end)
{
    for (int field = 0; field < 5; field++) {
        while (at < end && *at != ' ') {
            at++;
        }
        while (at < end && *at == ' ') {
            at++;
        }
    }
    return at;
}

bool mr_maps_next_file(const char **at, const char **path_out, size_t *length_out)
{
    static const char deleted[] = " (deleted)";
    const size_t mark = sizeof deleted - 1;
    while (**at != '\0') {
        const char *line = *at;
        *at = next_line(line);
        const char *end = (*at)[-1] == '\n' ? *at - 1 : *at;
        const char *path = path_of_map(line, end);
        size_t length = (size_t)(end - path);
        if (length == 0 || path[0] != '/') {
            continue;
        }
        if (length > mark && memcmp(end - mark, deleted, mark) == 0) {
            length -= mark;
        }
        *path_out = path;
        *length_out = length;
        return true;
    }
    return false;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t end_length = strlen(end);
    return length > end_length && memcmp(text + length - end_length, end, end_length) == 0;
}

bool mr_is_library(const char *path, size_t length)
{
    const char *name = path;
    for (size_t i = 0; i < length; i++) {
        name = path[i] == '/' ? path + i + 1 : name;
    }
    size_t name_length = length - (size_t)(name - path);
    if (ends_with(name, name_length, ".so") || ends_with(name, name_length, ".dll")) {
        return true;
    }
    for (size_t i = 1; i + 4 <= name_length; i++) {
        if (memcmp(name + i, ".so.", 4) == 0) {
            return true;
        }
    }
    return false;
}
