# install.cmake: `cmake --install build/release --prefix DIR`: the C libraries with headers, a pkg-config file and a CMake
# package each (component "library"); the program, man pages and shell completion.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS mr_shared mr_serve_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY include/matchrace DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library FILES_MATCHING PATTERN "*.h")
# A pkg-config file finds its prefix by its own place, so that the folder may be moved.
file(RELATIVE_PATH MR_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(name matchrace matchrace-serve)
  configure_file(cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/install/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/install/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
endforeach()
configure_package_config_file(cmake/matchraceConfig.cmake.in ${CMAKE_BINARY_DIR}/install/matchraceConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/matchrace
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/matchraceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/install/matchraceConfig.cmake ${CMAKE_BINARY_DIR}/install/matchraceConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/matchrace COMPONENT library)
install(FILES docs/man/libmatchrace.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3 COMPONENT library)

# The program finds yyjson, the cases of the conformance kit and contestants in this tree, which has to stay.
if(TARGET matchrace)
  if(NOT MR_YYJSON_SOURCE)
    cmake_path(GET MR_YYJSON_LIBRARY PARENT_PATH yyjson_folder)
    set_target_properties(matchrace PROPERTIES INSTALL_RPATH ${yyjson_folder})
  endif()
  install(TARGETS matchrace RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(FILES docs/man/matchrace.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES tools/completion/matchrace.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME matchrace COMPONENT program)
endif()
