// process.h: starting a program pinned and guarded, waiting for it, and ending it for certain.
//
// Every program gets a process group of its own, led by itself, and dies by SIGKILL when the thread
// that started it dies, however that happens: start programs from a thread that lives as long as
// they shall. When the program ends, whatever is left in its group is killed before it is reaped.
// Out of reach stay only descendants that leave the group by setsid or setpgid, and, where we are
// killed ourselves, descendants in the group other than the program.
#ifndef MR_HOST_PROCESS_H
#define MR_HOST_PROCESS_H

#include "patience.h"

#include <matchrace/attributes.h>
#include <base/pin.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What a standard stream of the program is connected to.
enum mr_stream_kind {
    MR_STREAM_NULL,    // /dev/null
    MR_STREAM_INHERIT, // ours
    MR_STREAM_PIPE,    // a pipe whose other end is in struct mr_process
    MR_STREAM_FILE,    // a file: read for standard input, else created anew (0644)
};

struct mr_stream {
    enum mr_stream_kind kind;
    const char *path; // for MR_STREAM_FILE, relative to our folder
};

// What to start. Everything is the caller's and is only read during mr_process_start().
struct mr_process_plan {
    const char *const *argv;        // ends with NULL; argv[0] with a slash is a path relative to
                                    // `folder`, without one it is looked up in our PATH
    const char *folder;             // working folder; NULL: ours
    const char *const *environment; // "NAME=value" added to ours or put in its place, ends with
                                    // NULL; NULL: ours alone
    const struct mr_cores *cores;   // pinned to these before exec; NULL: where we may run
    struct mr_stream in;
    struct mr_stream out;
    struct mr_stream err;
};

// Where starting failed, so that the message can name the right thing.
enum mr_process_stage {
    MR_STAGE_STARTED, // it did not
    MR_STAGE_MEMORY,  // no memory for its environment
    MR_STAGE_STREAMS, // a pipe or one of the files could not be opened
    MR_STAGE_FORK,    // no further process
    MR_STAGE_GUARD,   // its group or the guard against outliving us could not be set up
    MR_STAGE_PIN,     // it may not run on those cores
    MR_STAGE_FOLDER,  // the working folder could not be entered
    MR_STAGE_EXEC,    // the program is missing or cannot be run
};

// A program that was started. Fields are read-only for callers, who may poll the descriptors; a
// descriptor is −1 where the stream is no pipe or was closed.
struct mr_process {
    pid_t pid;
    int pid_fd;   // readable once the program has ended; −1 where the kernel has none
    int in;       // we write, blocking never
    int out;      // we read, blocking never
    int err;      // we read, blocking never
    bool running; // not reaped yet
};

// How a program ended, and what the kernel counted for it and its reaped children. The peak memory
// of getrusage is left out on purpose: it starts with the image of the process that forked.
struct mr_process_end {
    bool exited;   // by exit; else by `signal`
    int exit_code; // where `exited`
    int signal;    // where not
    uint64_t user_ns;
    uint64_t system_ns;
    uint64_t minor_faults;
    uint64_t major_faults;
    uint64_t voluntary_switches;
    uint64_t involuntary_switches;
};

// Which of our steps ended a program.
enum mr_process_stop {
    MR_STOP_BY_ITSELF, // it had ended before we asked
    MR_STOP_BY_TERM,   // within the time granted after SIGTERM
    MR_STOP_BY_KILL,   // it ignored SIGTERM and was killed with its group
};

// Starts the program. Signals have their default action and none is blocked in it; no descriptor of
// ours reaches it but the three streams. 0 once exec has succeeded; else a negative errno and in
// *stage_out (NULL allowed) where, with nothing left behind. On success the caller ends it with
// mr_process_fini(). Safe in programs with threads.
MR_NODISCARD int mr_process_start(struct mr_process *process_out,
                                  const struct mr_process_plan *plan,
                                  enum mr_process_stage *stage_out);

// What failed in the words of a message, to stand behind the program's name: "cannot be run".
const char *mr_process_stage_text(enum mr_process_stage stage);

// Waits for the end and reaps. 0 and *end_out; −ETIMEDOUT or −EINTR of mr_patience_poll(), the
// program running on; −ECHILD when somebody else reaped it (SIGCHLD ignored, waitpid(−1)
// elsewhere). A program may be waited for once only (asserted).
MR_NODISCARD int mr_process_wait(struct mr_process *process, const struct mr_patience *patience,
                                 struct mr_process_end *end_out);

// Sends a signal to the program itself, not to its group. 0, or −ESRCH when it was reaped.
MR_NODISCARD int mr_process_signal(const struct mr_process *process, int signal);

// Ends the program: SIGTERM, `grace_ns` of patience, then SIGKILL for its whole group; reaps. 0,
// *end_out and in *stop_out which step it took; −ETIMEDOUT when even SIGKILL did not end it within
// ten seconds (it hangs in the kernel).
MR_NODISCARD int mr_process_stop(struct mr_process *process, uint64_t grace_ns,
                                 struct mr_process_end *end_out, enum mr_process_stop *stop_out);

// Writes all bytes to the program's standard input. 0; −EPIPE when nobody reads it any more (no
// SIGPIPE is raised); −ETIMEDOUT or −EINTR: some bytes may have gone.
MR_NODISCARD int mr_process_write(struct mr_process *process, const void *bytes, size_t size_bytes,
                                  const struct mr_patience *patience);

// Closes our end of the program's standard input, which reads end of file then.
void mr_process_close_in(struct mr_process *process);

// Kills the program and its group if it was not reaped, and closes the descriptors. May be called
// again.
void mr_process_fini(struct mr_process *process);

#endif
