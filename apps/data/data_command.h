// data_command.h: what the commands of `matchrace data` share.
#ifndef MR_DATA_COMMAND_H
#define MR_DATA_COMMAND_H

#include "dataset/dataset.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

// The commands; argv[0] is the command's word. Each returns the exit code.
int mr_data_make(int argc, char **argv);
int mr_data_import(int argc, char **argv);
int mr_data_show(int argc, char **argv);
int mr_data_verify(int argc, char **argv);

// Catches Ctrl-C and SIGTERM, so that a command can clean up, and lets a file that may not grow any
// more (SIGXFSZ) be an error of writing like any other.
void mr_data_catch_signals(void);

// The signal that asks the command to end, or 0.
int mr_data_signal(void);

// Prints "matchrace data WORD: TEXT" as one line on standard error.
void mr_data_say(const char *word, const char *text);

// Writes the path of the manifest of the dataset `name`; false (and says so) when it is too long.
bool mr_data_manifest_path(const char *word, const char *name, char *path_out, size_t capacity);

// Makes *name_io the common part of the dataset's files, in `base_out`, where it is the name of one
// of them, as all that read a dataset do. False (and says so) when it is too long.
bool mr_data_take_base(const char *word, const char **name_io, char base_out[PATH_MAX]);

// The exit code for a failure: a signal's, or by errno.
int mr_data_exit(int error);

#endif
