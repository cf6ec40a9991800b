#!/usr/bin/env python3
# structure_headers.py: every header compiles alone; the public ones as C17 and as C++17.
"""Compiles each header of include/, lib/, apps/ and contestants/ as the only thing in a source; .hpp as C++23.

Public headers must also declare their functions with C linkage when C++ reads them. A kernel's pieces are compiled
for its instructions; what the kernels share may declare functions that each kernel's own file defines.
"""

import concurrent.futures
import os
import re
import subprocess
from pathlib import Path

import structure_common as tree

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-Werror", "-fsyntax-only"]
C17 = ["gcc", "-std=gnu17", "-x", "c", "-Wshadow", "-Wstrict-prototypes"]
C17_STRICT = ["gcc", "-std=c17", "-x", "c", "-Wshadow", "-Wstrict-prototypes"]
CPP17 = ["g++", "-std=c++17", "-x", "c++"]
CPP23 = ["g++", "-std=gnu++23", "-x", "c++", "-Wshadow"]
# As lib/record/CMakeLists.txt does it.
AVX2 = ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt", "-mpclmul"]
AVX512 = [*AVX2, "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512vbmi", "-mavx512vbmi2"]
KERNELS = {"lib/record/avx512/": AVX512, "lib/record/avx2/": AVX2, "lib/record/kernel_": AVX2}
EACH_KERNELS_OWN = re.compile(r"error: .*used but never defined")
DECLARES_FUNCTION = re.compile(r"^(?!static|#|typedef|struct [a-z_0-9]+ \{)[A-Za-z][^;{}=]*\bmr_\w+\s*\(", re.M)


def library_headers():
    """Where yyjson.h stands: the unpacked package of this checkout, or the folder given instead of it."""
    given = os.environ.get("MR_YYJSON_SOURCE")
    return Path(given) if given else tree.source_dir() / ".deps/root/usr/include"


def languages(name):
    if name.suffix == ".hpp":
        return [CPP23]
    return [C17_STRICT, CPP17] if name.parts[0] == "include" else [C17]


def instructions(name):
    """Options for the instructions that a header may use, and whether it is a piece of a kernel."""
    for start, options in KERNELS.items():
        if str(name).startswith(start):
            return options, True
    return [], False


def compile_alone(root, header, language):
    options, of_kernel = instructions(header.relative_to(root))
    command = [*language, *WARNINGS, "-march=x86-64-v2", *options, f"-I{root}/include", f"-I{root}/lib",
               "-isystem", str(library_headers()), "-"]
    # ISO C wants at least one declaration in a source, and a header may be macros only.
    source = f'#include "{header}"\ntypedef int mr_not_empty;\n'
    done = subprocess.run(command, input=source, text=True, capture_output=True, check=False)
    if done.returncode == 0:
        return None
    errors = [line for line in done.stderr.splitlines() if "error:" in line]
    if of_kernel and errors:
        errors = [line for line in errors if not EACH_KERNELS_OWN.search(line)]
        if not errors:
            return None
    first = (errors or done.stderr.splitlines() or ["no message"])[0].replace(f"{root}/", "")
    return f"{header.relative_to(root)}: does not compile alone as {language[1][5:]}: {first}"


def without_linkage(root, header):
    text = tree.code_only(tree.read(header))
    if DECLARES_FUNCTION.search(text) and "__cplusplus" not in text:
        return f"{header.relative_to(root)}: declares functions without extern \"C\" for C++"
    return None


def check(root):
    headers = tree.project_files(root, "include", "lib", "apps", "contestants", suffixes={".h", ".hpp"})
    jobs = [(header, language) for header in headers
            for language in languages(header.relative_to(root))]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(lambda job: compile_alone(root, *job), jobs))
    faults += [without_linkage(root, header) for header in headers
               if header.relative_to(root).parts[0] == "include"]
    return [fault for fault in faults if fault]


def planted(name, text):
    return lambda root: tree.write(root, name, text)


PLANTS = [
    ("a header of a room that forgets an include",
     planted("lib/base/planted.h", "// planted.h: a fault.\nuint32_t mr_planted(void);\n"),
     "lib/base/planted.h: does not compile alone as gnu17"),
    ("a piece of a kernel that forgets an include",
     planted("lib/record/avx512/planted.h", "// planted.h: a fault.\n#include <immintrin.h>\n"
             "static inline int mr_owed(void);\nstatic inline uint8_t mr_planted(void)\n{\n    return mr_owed();\n}\n"),
     "lib/record/avx512/planted.h: does not compile alone as gnu17: .*uint8_t"),
    ("a header that is no kernel's and owes a function",
     planted("lib/base/planted.h", "// planted.h: a fault.\nstatic inline int mr_owed(void);\n"
             "static inline int mr_planted(void)\n{\n    return mr_owed();\n}\n"),
     "lib/base/planted.h: does not compile alone as gnu17: .*never defined"),
    ("a header of C++ that forgets an include",
     planted("lib/base/planted.hpp", "// planted.hpp: a fault.\nstd::size_t planted();\n"),
     r"lib/base/planted.hpp: does not compile alone as gnu\+\+23"),
    ("a public header that is no C++",
     planted("include/matchrace/planted.h", "// planted.h: a fault.\nstruct mr_planted { int class; };\n"),
     r"include/matchrace/planted.h: does not compile alone as c\+\+17"),
    ("a public header that is no C17",
     planted("include/matchrace/planted.h", "// planted.h: a fault.\n#include <cstdint>\n"),
     "include/matchrace/planted.h: does not compile alone as c17"),
    ("a public function that C++ would mangle",
     planted("include/matchrace/planted.h", "// planted.h: a fault.\nint mr_planted(void);\n"),
     "declares functions without extern"),
]

if __name__ == "__main__":
    tree.main(check, PLANTS, folders=["include", "lib/base"])
