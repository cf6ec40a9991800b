// fault.c: see fault.h.
#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

void mr_trial_fault_set(struct mr_trial_fault *fault, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
}
