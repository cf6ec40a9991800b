# csharp.cmake: the C# contestants, as the native ones are tested; skipped with the reason where they can't be installed.
# Left out are scripts that judge a native server's memory or descriptors (serve_crowd, the back-pressure of example_wire).
# All of them are built first, by one test: each would wait for the others' builds, which go one at a time.
file(GLOB csharp_folders ${PROJECT_SOURCE_DIR}/contestants/csharp-*/contestant.json)
list(TRANSFORM csharp_folders REPLACE "/contestant.json$" "")
list(FILTER csharp_folders EXCLUDE REGEX "/csharp-reverse$") # a part of the job, which no test here runs
mr_script_test(csharp_built COMMAND python3 ${PROJECT_SOURCE_DIR}/tools/contestants/build_contestants.py
  --build-dir ${PROJECT_BINARY_DIR} ${csharp_folders} LABELS csharp release-only TIMEOUT 900)
set_tests_properties(csharp_built PROPERTIES FIXTURES_SETUP csharp_built COST 50)
mr_script_test(contestant_builds COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/contestant_builds.py
  LABELS csharp release-only TIMEOUT 120)
mr_script_test(csharp_reasons COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/csharp_reasons.py
  LABELS csharp release-only TIMEOUT 60)
mr_script_test(csharp_reasons_self_test COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/csharp_reasons.py --self-test
  LABELS csharp release-only TIMEOUT 60)
mr_script_test(csharp_refusals COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/csharp_refusals.py
  LABELS csharp release-only slow heavy TIMEOUT 600)
mr_script_test(csharp_without_sdk COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/csharp_without_sdk.py LABELS csharp release-only TIMEOUT 60)
mr_script_test(soak_leaks COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/soak_leaks.py LABELS scenario release-only TIMEOUT 120)
if(TARGET matchrace AND TARGET c-tuned)
  foreach(contestant csharp-stj)
    set(folder ${PROJECT_SOURCE_DIR}/contestants/${contestant})
    set(installed python3 ${PROJECT_SOURCE_DIR}/tests/support/when_installed.py ${folder})
    set(stamps --stamp-dir ${CMAKE_CURRENT_BINARY_DIR}/csharp-stamps)
    mr_script_test(conform_${contestant} COMMAND ${installed} $<TARGET_FILE:matchrace> conform ${stamps}
      --mode drain --mode keep ${folder} LABELS csharp conformance release-only heavy TIMEOUT 900)
    mr_script_test(${contestant}_idle COMMAND ${installed} python3 ${CMAKE_CURRENT_LIST_DIR}/csharp_idle.py
      LABELS csharp release-only TIMEOUT 120)
    set_property(TEST ${contestant}_idle APPEND PROPERTY ENVIRONMENT MR_CONTESTANT=${folder})
    # Its other ways to wait for sockets: what is said on the wire, in one mode.
    foreach(io blocking-io pool-io)
      mr_script_test(conform_${contestant}_${io} COMMAND ${installed} $<TARGET_FILE:matchrace> conform ${stamps}
        --variant ${io} --mode keep --phase wire --phase kept --phase command ${folder}
        LABELS csharp conformance release-only heavy TIMEOUT 600)
    endforeach()
    foreach(what serve_agree serve_behind serve_books serve_limits serve_parse serve_pressure serve_ends
        reference_example_cases reference_example_parse)
      mr_script_test(${contestant}_${what} COMMAND ${installed} python3 ${CMAKE_CURRENT_LIST_DIR}/${what}.py
        LABELS csharp release-only TIMEOUT 600)
      set_property(TEST ${contestant}_${what} APPEND PROPERTY ENVIRONMENT MR_CONTESTANT=${folder})
    endforeach()
  endforeach()
  # The same layer over another parser, or text as System.String: the cases and what is kept.
  foreach(contestant csharp-stj-string csharp-stj-serializer csharp-newtonsoft csharp-newtonsoft-strict
      csharp-tuned csharp-native)
    set(folder ${PROJECT_SOURCE_DIR}/contestants/${contestant})
    mr_script_test(conform_${contestant}
      COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/support/when_installed.py ${folder} $<TARGET_FILE:matchrace> conform
        --stamp-dir ${CMAKE_CURRENT_BINARY_DIR}/csharp-stamps --phase cases --phase kept --mode keep ${folder}
      LABELS csharp conformance release-only heavy TIMEOUT 600)
  endforeach()
endif()
get_property(made DIRECTORY PROPERTY TESTS)
foreach(test ${made})
  get_test_property(${test} LABELS labels)
  if("csharp" IN_LIST labels AND NOT test MATCHES "^(csharp_(built|refusals|reasons.*)|contestant_builds)$")
    set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED csharp_built)
  endif()
endforeach()
