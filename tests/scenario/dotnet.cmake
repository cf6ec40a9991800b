# The C parser from .NET: the binding's own tests, its package, and planted faults. One at a time: they build.
foreach(what record package)
  mr_script_test(dotnet_${what} COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/dotnet_${what}.py
    LABELS dotnet release-only heavy TIMEOUT 900)
  set_tests_properties(dotnet_${what} PROPERTIES RESOURCE_LOCK dotnet)
endforeach()
mr_script_test(dotnet_package_self_test COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/dotnet_package.py --self-test
  LABELS dotnet release-only heavy TIMEOUT 1500)
set_tests_properties(dotnet_package_self_test PROPERTIES RESOURCE_LOCK dotnet)
