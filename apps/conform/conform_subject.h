// conform_subject.h: the contestant under test as a process: started with any command line, its
// streams kept in memory, ended for certain.
#ifndef MR_CONFORM_SUBJECT_H
#define MR_CONFORM_SUBJECT_H

#include "conform_memory.h"
#include "host/process.h"
#include "trial/contestant.h"

#include <matchrace/attributes.h>

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_SUBJECT_WORDS_MAX 96

// How a contestant is started: its words and variables, by contestant.json.
struct mr_subject_plan {
    const struct mr_contestant_file *contestant;
    const struct mr_variant *variant; // or NULL
};

struct mr_subject {
    struct mr_process process;
    int out_fd; // memory file of its standard output; −1: not started
    int err_fd; // of its standard error
    bool running;
    struct mr_process_end end;  // once it is not running any more
    struct sockaddr_in address; // after mr_subject_listen()
};

// One line for people about what went wrong.
struct mr_subject_fault {
    char text[512];
};

// Starts it with `words` (ends with NULL) behind its own words and the variant's behind these.
// Standard input is a pipe when `with_input`, else empty. 0, or a negative errno with the fault.
// The caller ends it with mr_subject_end(), whatever happened.
MR_NODISCARD int mr_subject_start(struct mr_subject *subject_out,
                                  const struct mr_subject_plan *plan, const char *const *words,
                                  bool with_input, struct mr_subject_fault *fault_out);

// Waits until its output has the line that says where it listens (any line that names an address
// behind the word, the exact form is judged elsewhere) and reads the address. 0; −ETIMEDOUT;
// −ECHILD when it ended; −EINTR; the fault says what it printed.
MR_NODISCARD int mr_subject_listen(struct mr_subject *subject, uint64_t deadline_ns,
                                   struct mr_subject_fault *fault_out);

// Whether it still runs.
bool mr_subject_alive(struct mr_subject *subject);

// Waits for its end. True when it has ended.
bool mr_subject_wait(struct mr_subject *subject, uint64_t deadline_ns);

// SIGTERM, then SIGKILL after `grace_ns`; frees everything. May be called again.
void mr_subject_end(struct mr_subject *subject, uint64_t grace_ns);

// Everything that it wrote so far, with a zero byte behind it; the caller frees it by
// mr_bytes_fini().
struct mr_bytes mr_subject_read(int fd);

// How many bytes it wrote so far.
size_t mr_subject_written(int fd);

// "exit code 1", "signal 11 (Segmentation fault)"; text of at least 64 bytes.
void mr_subject_end_text(const struct mr_process_end *end, char *text_out, size_t capacity);

#endif
