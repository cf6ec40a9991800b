# load.cmake: the load generator against contestants, liars, stopped servers and bad input; its plans and its timing.
foreach(what plans soak stall faults hdr warmup)
  mr_script_test(load_${what} COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/load_${what}.py LABELS scenario TIMEOUT 180)
endforeach()
foreach(what honest timed in_flight)
  mr_script_test(load_${what} COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/load_${what}.py LABELS scenario heavy
    TIMEOUT 180)
endforeach()
mr_script_test(load_liars COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/liars.py LABELS scenario early TIMEOUT 180)
# What it proves is a matter of time: 300 ms of standstill beside another test's load would be more.
set_tests_properties(load_stall PROPERTIES RUN_SERIAL TRUE)
