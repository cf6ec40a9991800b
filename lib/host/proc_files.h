// proc_files.h: which program a process runs and which libraries it has loaded.
#ifndef MR_HOST_PROC_FILES_H
#define MR_HOST_PROC_FILES_H

#include <matchrace/attributes.h>

#include <stddef.h>
#include <sys/types.h>

// Paths of files, none twice, in the order of their addresses; owned, ended with
// mr_proc_files_fini().
struct mr_proc_files {
    char **path;
    size_t count;
};

// The program and the libraries (mr_is_library()) that `pid` has mapped now: the program is first.
// Paths are as the kernel writes them, seen from that process; newlines in them read "\012". 0, or
// a negative errno (−ESRCH: no such process; −EACCES: not ours), nothing to end then.
MR_NODISCARD int mr_proc_files_read(pid_t pid, struct mr_proc_files *files_out);

// Frees the paths.
void mr_proc_files_fini(struct mr_proc_files *files);

#endif
