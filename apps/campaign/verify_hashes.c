// verify_hashes.c: see verify_folder.h: files against the hashes in the run's log.
#include "verify_folder.h"

#include "run_files.h"

#include <stdarg.h>

void mr_verify_differs(struct mr_verify *verify, const char *name, const char *format, ...)
{
    verify->differences++;
    (void)fprintf(verify->out, "%s/%s: ", verify->folder, name);
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(verify->out, format, arguments);
    va_end(arguments);
    (void)fprintf(verify->out, "\n");
}

static void note(void *context, const struct mr_run_file *file)
{
    mr_verify_differs(context, file->name, "%s", file->text);
}

int mr_verify_hashes(struct mr_verify *verify, struct mr_trial_fault *fault)
{
    return mr_run_files_check(verify->folder, note, verify, fault);
}
