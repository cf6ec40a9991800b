# build_flags.cmake: the compiler and the flags that a contestant's parser really gets, as one line for WELCOME.

# mr_build_flags(TARGET SOURCE OUT): how SOURCE (as named in TARGET) is compiled: compiler, version, flags; without
# include paths and warnings, which change no code.
function(mr_build_flags target source out)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  get_target_property(directory_options ${target} COMPILE_OPTIONS)
  get_target_property(source_dir ${target} SOURCE_DIR)
  set(file ${source_dir}/${source})
  get_source_file_property(source_options ${file} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
  get_source_file_property(source_flags ${file} TARGET_DIRECTORY ${target} COMPILE_FLAGS)
  set(words ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${config}} -std=gnu${CMAKE_C_STANDARD})
  foreach(group directory_options source_options source_flags)
    if(${group})
      list(APPEND words ${${group}})
    endif()
  endforeach()
  list(FILTER words EXCLUDE REGEX "^-W")
  string(REPLACE ";" " " words "${words}")
  string(REGEX REPLACE "  +" " " words "${words}")
  string(STRIP "${words}" words)
  set(${out} "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${words}" PARENT_SCOPE)
endfunction()
