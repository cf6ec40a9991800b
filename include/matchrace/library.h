// library.h: a library that does a contestant's work, for what the contestant says of itself.
#ifndef MATCHRACE_LIBRARY_H
#define MATCHRACE_LIBRARY_H

// All texts are constant.
struct mr_library {
    const char *name;
    const char *version;
    const char *path; // of the file that is really loaded; "static" when linked in
};

#define MR_LIBRARIES_MAX 8

#endif
