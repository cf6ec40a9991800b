// attributes.h: the compiler attributes that the public headers use; GCC and Clang, C17 and C++.
#ifndef MATCHRACE_ATTRIBUTES_H
#define MATCHRACE_ATTRIBUTES_H

// The result may not be ignored.
#define MR_NODISCARD __attribute__((warn_unused_result))

// Arguments are checked as printf's: `format` and `first` are the numbers of the parameters.
#define MR_PRINTF(format_index, first_index)                                                       \
    __attribute__((format(printf, format_index, first_index)))

#endif
