# serve.cmake: the native contestants on the wire and in `parse`: every script once for each of them.
foreach(contestant c-tuned c-yyjson cpp-simdjson)
  if(NOT TARGET ${contestant})
    continue()
  endif()
  set(folder ${PROJECT_SOURCE_DIR}/contestants/${contestant})
  # What the example must do, they must do; with two threads, too: a folder whose command adds them to `serve`.
  set(threaded ${CMAKE_CURRENT_BINARY_DIR}/two-threads/${contestant})
  file(WRITE ${threaded}/run.sh
    "[ \"$1\" != serve ] || set -- \"$@\" --threads 2\nexec \"${PROJECT_BINARY_DIR}/contestants/${contestant}/${contestant}\" \"$@\"\n")
  file(WRITE ${threaded}/contestant.json "{\"name\": \"${contestant}\", \"run\": [\"bash\", \"run.sh\"]}\n")
  foreach(what cases wire parse)
    set(script ${CMAKE_CURRENT_LIST_DIR}/reference_example_${what}.py)
    mr_script_test(serve_${contestant}_example_${what} COMMAND python3 ${script} LABELS serve release-only)
    set_property(TEST serve_${contestant}_example_${what} APPEND PROPERTY ENVIRONMENT MR_CONTESTANT=${folder})
  endforeach()
  foreach(what cases wire)
    set(script ${CMAKE_CURRENT_LIST_DIR}/reference_example_${what}.py)
    mr_script_test(serve_${contestant}_example_${what}_two_threads COMMAND python3 ${script} LABELS serve)
    set_property(TEST serve_${contestant}_example_${what}_two_threads APPEND PROPERTY ENVIRONMENT MR_CONTESTANT=${threaded})
  endforeach()
  foreach(what agree behind books ends limits parse pressure)
    mr_script_test(serve_${contestant}_${what} COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/serve_${what}.py LABELS serve)
    set_property(TEST serve_${contestant}_${what} APPEND PROPERTY ENVIRONMENT MR_CONTESTANT=${folder})
  endforeach()
  # Memory is judged there, which sanitizers spend in their own way.
  mr_script_test(serve_${contestant}_crowd COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/serve_crowd.py
    LABELS serve release-only)
  set_property(TEST serve_${contestant}_crowd APPEND PROPERTY ENVIRONMENT MR_CONTESTANT=${folder})
endforeach()
# The kernels of cpp-simdjson: none has another's instructions, and the one that runs is the one that was asked for.
if(TARGET cpp-simdjson)
  mr_script_test(serve_cpp-simdjson_kernels COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/cpp_kernels.py
    LABELS serve release-only)
endif()
