# stats.cmake: unit tests of lib/stats and lib/host.
foreach(unit hist hist_v2 robust paired change fisher nested signed_rank verdict places power williams coverage)
  mr_test(stats_${unit}_test SOURCES stats_${unit}_test.c LINK mr_stats LABELS unit)
endforeach()
foreach(unit process line_reader family proc_text proc facts topology probe core_use foreign thread_use loop_watch window_watch)
  mr_test(host_${unit}_test SOURCES host_${unit}_test.c LINK mr_host LABELS unit)
endforeach()
