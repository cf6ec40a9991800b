// conform_choice.h: the words of the command line, and the modes and checks that they choose.
#ifndef MR_CONFORM_CHOICE_H
#define MR_CONFORM_CHOICE_H

#include "base/cli.h"
#include "conform_kit.h"

#include <matchrace/attributes.h>

#include <stdbool.h>

struct mr_conform_words {
    struct mr_option_list modes;
    struct mr_option_list only;
    struct mr_option_list phases;
    const char *variant;   // or NULL
    const char *cases;     // folder
    const char *build_dir; // what ${MR_BUILD_DIR} stands for, absolute
    const char *stamp_dir;
    const char *json; // or NULL
    bool quick;
    bool stamped;
    bool list;
};

// Fills options->modes, rules and phases. 0, or the exit code after one line on standard error.
MR_NODISCARD int mr_conform_choose(const struct mr_conform_words *words,
                                   struct mr_kit_options *options);

// Prints one line on standard error, with the command's name before it; returns `code`.
MR_PRINTF(2, 3) int mr_conform_complain(int code, const char *format, ...);

#endif
