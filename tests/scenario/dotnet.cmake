# dotnet.cmake: the C parser from .NET: the binding's own tests, its package, and planted faults. One at a time: they build.
foreach(what record package tuned)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/dotnet_${what}.py)
  mr_script_test(dotnet_${what} COMMAND python3 ${script} LABELS dotnet release-only early TIMEOUT 900)
  mr_script_test(dotnet_${what}_self_test COMMAND python3 ${script} --self-test LABELS dotnet release-only long
    TIMEOUT 1500)
  set_tests_properties(dotnet_${what} dotnet_${what}_self_test PROPERTIES RESOURCE_LOCK dotnet)
endforeach()
