// exact_double.cpp: see exact_double.hpp.
#include "exact_double.hpp"

#include <cstdlib>

namespace
{

// The first byte at or behind `at` that is no digit.
const char *behind_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9') {
        at++;
    }
    return at;
}

// The end of the number that begins at `at`, or nullptr where none does (RFC 8259, section 6).
const char *behind_number(const char *at, const char *end)
{
    at += at < end && *at == '-' ? 1 : 0;
    const char *digits = at;
    at = behind_digits(at, end);
    if (at == digits || (*digits == '0' && at - digits > 1)) {
        return nullptr;
    }
    if (at < end && *at == '.') {
        digits = at + 1;
        at = behind_digits(digits, end);
        if (at == digits) {
            return nullptr;
        }
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-') ? 1 : 0;
        digits = at;
        at = behind_digits(at, end);
        if (at == digits) {
            return nullptr;
        }
    }
    return at;
}

bool is_white_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

} // namespace

bool exact_double_read(std::string_view token, double *number_out)
{
    const char *end = token.data() + token.size();
    const char *at = behind_number(token.data(), end);
    if (at == nullptr) {
        return false;
    }
    while (at < end && is_white_space(*at)) {
        at++;
    }
    // glibc rounds rightly at any length; nobody here calls setlocale(), so the point is a point.
    *number_out = std::strtod(token.data(), nullptr);
    return at == end;
}
