// kernel.hpp: the parser as compiled for one of simdjson's kernels: a table of functions.
#ifndef CPP_SIMDJSON_KERNEL_HPP
#define CPP_SIMDJSON_KERNEL_HPP

#include <matchrace/notes_main.h>
#include <matchrace/serve.h>

// One build of batch.cpp. The functions are those of struct mr_contestant.
struct simdjson_kernel {
    // A parser, or nullptr where there is no memory. Ended with destroy().
    void *(*create)();
    void (*destroy)(void *parser);
    void (*parse)(void *parser, const mr_payload *payload, uint8_t *records_out,
                  mr_result *result_out);
};

// One build of notes.cpp. The functions are those of struct mr_notes_contestant.
struct simdjson_notes_kernel {
    int (*create)(const mr_notes_task *task, void **writer_out);
    void (*destroy)(void *writer);
    int (*write)(void *writer, const mr_note *notes, size_t count, mr_notes_output *output_out);
    void (*release)(void *writer);
};

// The builds: each from objects of its own, of which these are the only names that others see.
extern "C" {
extern const simdjson_kernel cpp_simdjson_icelake;
extern const simdjson_kernel cpp_simdjson_haswell;
extern const simdjson_kernel cpp_simdjson_westmere;
extern const simdjson_kernel cpp_simdjson_fallback;
extern const simdjson_notes_kernel cpp_simdjson_notes_haswell;
extern const simdjson_notes_kernel cpp_simdjson_notes_fallback;
}

#endif
