// exact_double.hpp: numbers of JSON that simdjson does not take, rightly rounded.
#ifndef CPP_SIMDJSON_EXACT_DOUBLE_HPP
#define CPP_SIMDJSON_EXACT_DOUBLE_HPP

#include <string_view>

// Reads `token`: a number by RFC 8259, then nothing but white space. It may be of any length and
// may round to infinity or zero. False when it is no such number. The byte behind `token` is looked
// at and must be no part of a number.
[[nodiscard]] bool exact_double_read(std::string_view token, double *number_out);

#endif
