# data.cmake: scenarios of `matchrace data`.
foreach(what make form import verify variations)
  mr_script_test(data_${what} COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/data_${what}.py LABELS data scenario)
endforeach()
mr_script_test(data_reference COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/data_reference.py
  LABELS data scenario release-only)
mr_script_test(bench_parts COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/bench_parts.py LABELS data scenario release-only)
mr_script_test(bench_managed COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/bench_managed.py LABELS scenario release-only)
mr_script_test(bench_null_sender COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/bench_null_sender.py LABELS data scenario release-only)
