# reference.cmake: the independent reference, and the example contestant on the wire.
foreach(what selftest check contestant_json example_cases example_wire example_parse)
  mr_script_test(reference_${what} COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/reference_${what}.py
    LABELS reference release-only heavy TIMEOUT 300)
endforeach()
mr_script_test(reference_example_limits COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/reference_example_limits.py
  LABELS reference release-only slow heavy TIMEOUT 300)
# The same with a million digits, floods of 16 MiB, and four times the chance: ./lab test --long --only _long release
foreach(what selftest example_limits)
  mr_script_test(reference_${what}_long COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/reference_${what}.py
    LABELS reference release-only long heavy TIMEOUT 600)
  set_property(TEST reference_${what}_long APPEND PROPERTY ENVIRONMENT MR_LONG=1)
endforeach()
# Some minutes: ninety planted faults, each with the test that must see it, in the short form, which ./lab test runs.
mr_script_test(reference_mutants COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/reference_mutants.py
  LABELS reference release-only long TIMEOUT 1800)
# Wild batches, judged once and answered by all: the native contestants under sanitizers, too, where the
# example, which has no C, is not asked.
set(asked)
if(NOT MR_SANITIZE)
  list(APPEND asked example)
endif()
foreach(contestant c-tuned c-yyjson cpp-simdjson)
  if(TARGET ${contestant})
    list(APPEND asked ${PROJECT_SOURCE_DIR}/contestants/${contestant})
  endif()
endforeach()
mr_script_test(reference_differential
  COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/reference_differential.py ${asked} LABELS reference heavy TIMEOUT 300)
