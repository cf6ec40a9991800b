// mutate_main.c: the fuzz target without a fuzzer: batches of given folders, changed again and
// again by chance alone. For every compiler, and the same inputs every time.
//
//     record_mutated EXECUTIONS SEED FOLDER…
#include "base/file.h"
#include "base/mr_assert.h"
#include "base/rng.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUTS_MAX      4096u
#define INPUT_BYTES_MAX 24000u // longer than a chunk of any kernel

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t count_max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t count_max);

struct input {
    uint8_t *bytes;
    size_t count;
};

static struct input inputs[INPUTS_MAX];
static size_t inputs_count;
static struct mr_rng rng;

// What libFuzzer's own does, at its simplest: one byte becomes another.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t count_max)
{
    (void)count_max;
    if (count > 0) {
        bytes[mr_rng_below(&rng, count)] = (uint8_t)mr_rng_next(&rng);
    }
    return count;
}

// Keeps a copy; when there is no place any more, of a random one's.
static void keep(const uint8_t *bytes, size_t count)
{
    size_t at = inputs_count < INPUTS_MAX ? inputs_count++ : mr_rng_below(&rng, INPUTS_MAX);
    free(inputs[at].bytes);
    inputs[at] = (struct input){malloc(count + 1), count};
    MR_ASSERT(inputs[at].bytes != NULL);
    memcpy(inputs[at].bytes, bytes, count);
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static int read_folder(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, by_name);
    if (count < 0) {
        return -errno;
    }
    int result = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        char *bytes;
        size_t bytes_count;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (result == 0 && entries[i]->d_name[0] != '.') {
            result = mr_file_read(path, (size_t)64 << 20, &bytes, &bytes_count);
            if (result == 0 && bytes_count <= INPUT_BYTES_MAX) {
                keep((const uint8_t *)bytes, bytes_count);
            }
            if (result == 0) {
                free(bytes);
            }
        }
        free(entries[i]);
    }
    free(entries);
    return result;
}

static void execute(unsigned long executions)
{
    static uint8_t bytes[INPUT_BYTES_MAX];
    for (unsigned long i = 0; i < executions; i++) {
        const struct input *input = &inputs[mr_rng_below(&rng, inputs_count)];
        size_t count = input->count;
        memcpy(bytes, input->bytes, count);
        for (uint64_t times = mr_rng_between(&rng, 1, 5); times > 0; times--) {
            count = LLVMFuzzerCustomMutator(bytes, count, sizeof bytes,
                                            (unsigned)(mr_rng_next(&rng) >> 33));
        }
        (void)LLVMFuzzerTestOneInput(bytes, count);
        // Some are changed further.
        if (i % 8 == 0) {
            keep(bytes, count);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        (void)fputs("usage: record_mutated EXECUTIONS SEED FOLDER…\n", stderr);
        return 2;
    }
    rng = mr_rng_seeded(strtoull(argv[2], NULL, 10));
    for (int i = 3; i < argc; i++) {
        int result = read_folder(argv[i]);
        if (result != 0) {
            (void)fprintf(stderr, "%s: %s\n", argv[i], strerror(-result));
            return 1;
        }
    }
    if (inputs_count == 0) {
        (void)fputs("no inputs to change\n", stderr);
        return 2;
    }
    execute(strtoul(argv[1], NULL, 10));
    printf("%s executions without a difference\n", argv[1]);
    for (size_t i = 0; i < inputs_count; i++) {
        free(inputs[i].bytes);
    }
    return 0;
}
