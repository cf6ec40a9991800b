// mr_assert.h: checks for our own bugs; on in every build, a wrong benchmark is worse than a dead
// one.
#ifndef MR_BASE_ASSERT_H
#define MR_BASE_ASSERT_H

// Ends the program with file, line and condition on standard error. Never returns.
__attribute__((cold)) _Noreturn void mr_assert_failed(const char *condition, const char *file,
                                                      int line);

// Aborts when `condition` is false. Never compiled out, so it may not carry side effects that
// somebody could be tempted to remove.
#define MR_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : mr_assert_failed(#condition, __FILE__, __LINE__))

#endif
