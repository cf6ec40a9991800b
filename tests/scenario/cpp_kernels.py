#!/usr/bin/env python3
"""cpp_kernels.py: each kernel of cpp-simdjson keeps to its own instructions, and each of them runs.

A kernel's object may show one symbol, run nothing before main() and use no register or instruction that its kernel
does not demand of the processor; what all kernels share may use none beyond the lab's own. Then: what WELCOME says is
the kernel that was asked for; one that the processor can't run is refused with a clear line, and a name that is none is
a wrong usage. Skipped (77) where it is not built.
"""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "support")]
BUILD_DIR = os.path.abspath(os.environ.get("MR_BUILD_DIR") or os.path.join(ROOT, "build", "release"))
FOLDER = os.path.join(BUILD_DIR, "contestants", "cpp-simdjson")
PROGRAM = os.path.join(FOLDER, "cpp-simdjson")
ARCHIVE = os.path.join(ROOT, ".deps/root/usr/lib/x86_64-linux-gnu/libsimdjson_static.a")

AVX512 = re.compile(r"%zmm|%k[0-7]\b|%[xyz]mm(1[6-9]|2[0-9]|3[01])\b")
AVX = re.compile(r"%ymm|\tv[a-z]")
BMI = re.compile(r"\t(andn|bextr|blsi|blsr|blsmsk|tzcnt|lzcnt|bzhi|pdep|pext|mulx|rorx|sarx|shlx|shrx)\b")
# TZCNT is what older processors run as BSF, with the same result unless all bits are 0, which gcc knows.
BMI_BUT_TZCNT = re.compile(BMI.pattern.replace("tzcnt|", ""))
CLMUL = re.compile(r"pclmul")
FORBIDDEN = {
    "fallback": (AVX512, AVX, BMI, CLMUL),
    "westmere": (AVX512, AVX, BMI),
    "haswell": (AVX512,),
    "icelake": (),
}
# What each kernel asks of the processor, as /proc/cpuinfo names it (simdjson's required_instruction_sets).
NEEDED = {
    "icelake": {"avx2", "bmi1", "bmi2", "pclmulqdq", "avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vbmi", "avx512vl",
                "avx512_vbmi2"},
    "haswell": {"avx2", "bmi1", "bmi2", "pclmulqdq"},
    "westmere": {"sse4_2", "pclmulqdq"},
    "fallback": set(),
    "": set(),
}
# Those that the writer of notes is compiled for, too.
NOTES_KERNELS = {"haswell": (AVX512,), "fallback": (AVX512, AVX, BMI_BUT_TZCNT, CLMUL)}
# The signs that a kernel is what its name says.
WANTED = {"icelake": AVX512, "haswell": BMI}
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def functions(path):
    """(name of the function, line of its disassembly) of an object."""
    name = ""
    for line in output_of("objdump", "-d", "--no-show-raw-insn", path).splitlines():
        found = FUNCTION.match(line)
        name = found[1] if found else name
        if not found:
            yield name, line


def judge_object(path, forbidden, wanted=None):
    faults, lines = [], list(functions(path))
    for pattern in forbidden:
        faults += [f"{os.path.basename(path)}: {name}: {line.strip()}" for name, line in lines if pattern.search(line)][:1]
    if wanted is not None and not any(wanted.search(line) for _, line in lines):
        faults.append(f"{os.path.basename(path)}: none of its own instructions: is this check still looking at it?")
    return faults


def judge_closed(path, symbol):
    faults = []
    shown = [line.split()[-1] for line in output_of("nm", "--defined-only", "--extern-only", path).splitlines()]
    if shown != [symbol]:
        faults.append(f"{os.path.basename(path)}: shows {shown} instead of {symbol} alone")
    sections = output_of("readelf", "-SW", path)
    if re.search(r"\.(init_array|ctors|preinit_array)\b(?!\.)", sections):
        faults.append(f"{os.path.basename(path)}: runs something before main()")
    if re.search(r"\bGROUP\b", sections):
        faults.append(f"{os.path.basename(path)}: has a group that the linker may take from another object")
    return faults


def shared_objects():
    """What every kernel runs beside its own code: the contestant's other sources, and lib/."""
    folder = os.path.join(FOLDER, "CMakeFiles", "cpp-simdjson.dir")
    found = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".cpp.o")]
    return found + [os.path.join(BUILD_DIR, "lib", room, f"libmr_{room}.a") for room in ("serve", "inproc", "wire", "contract", "base")]


def judge_archive():
    """simdjson's own code: AVX-512 stands in its icelake kernel only, AVX in that and in haswell."""
    faults = []
    for pattern, homes in ((AVX512, r"7icelake"), (AVX, r"7icelake|7haswell"), (CLMUL, r"7icelake|7haswell|8westmere")):
        for name, line in functions(ARCHIVE):
            if pattern.search(line) and not re.search(homes, name):
                faults.append(f"libsimdjson_static.a: {name}: {line.strip()}")
                break
    return faults


def judge_objects():
    faults = judge_archive()
    for kernel, forbidden in FORBIDDEN.items():
        path = os.path.join(FOLDER, f"cpp_simdjson_{kernel}.o")
        faults += judge_object(path, forbidden, WANTED.get(kernel)) + judge_closed(path, f"cpp_simdjson_{kernel}")
    for kernel, forbidden in NOTES_KERNELS.items():
        path = os.path.join(FOLDER, f"cpp_simdjson_notes_{kernel}.o")
        faults += judge_object(path, forbidden, WANTED.get(kernel))
        faults += judge_closed(path, f"cpp_simdjson_notes_{kernel}")
    for path in shared_objects():
        faults += judge_object(path, FORBIDDEN["fallback"])
    return faults


def processor_flags():
    with open("/proc/cpuinfo", encoding="ascii") as cpuinfo:
        return set(next(line for line in cpuinfo if line.startswith("flags")).split(":")[1].split())


def judge_absent(kernel, flags):
    """A kernel that this processor lacks something for: one clear line and exit code 1, never SIGILL."""
    done = subprocess.run([PROGRAM, "serve", "--listen", "127.0.0.1:0", "--mode", "totals", "--kernel", kernel],
                          capture_output=True, text=True, check=False, timeout=30)
    print(f"{kernel}: not for this machine ({' '.join(sorted(NEEDED[kernel] - flags))}): exit code {done.returncode}")
    good = done.returncode == 1 and f"cannot run kernel '{kernel}'" in done.stderr and not done.stdout
    return [] if good else [f"{kernel}: exit code {done.returncode}: {done.stdout}{done.stderr}"]


def judge_run(kernel, flags):
    import wire_client  # pylint: disable=import-outside-toplevel
    if not NEEDED[kernel] <= flags:
        return judge_absent(kernel, flags)
    words = ["--kernel", kernel] if kernel else []
    with wire_client.Server([PROGRAM], ["--mode", "totals", *words]) as server, server.connect() as client:
        said = client.hello()["kernel"]
    print(f"{kernel or 'without --kernel'}: {said}")
    return [] if said == (kernel or said) else [f"asked for {kernel}, WELCOME says {said}"]


def judge_unknown():
    done = subprocess.run([PROGRAM, "serve", "--listen", "127.0.0.1:0", "--mode", "keep", "--kernel", "sse9"],
                          capture_output=True, text=True, check=False)
    good = done.returncode == 2 and "icelake, haswell, westmere, fallback" in done.stderr and not done.stdout
    return [] if good else [f"--kernel sse9: exit code {done.returncode}: {done.stdout}{done.stderr}"]


PLANT = """
#include <immintrin.h>
inline int shared(const int *a) { %s }
extern "C" int planted(const int *a) { return shared(a); }
"""
PLANTS = [("AVX-512 in what is shared", "return _mm512_reduce_add_epi32(_mm512_loadu_si512(a));", ["-mavx512f"]),
          ("AVX2 in what is shared", "return _mm256_extract_epi32(_mm256_add_epi32(_mm256_loadu_si256((const __m256i *)a), "
           "_mm256_set1_epi32(*a)), 3);", ["-mavx2"])]


def self_test():
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "planted.o")
        for name, body, flags in PLANTS:
            subprocess.run(["g++", "-O0", "-c", "-x", "c++", "-", "-o", path, *flags], input=PLANT % body, text=True, check=True)
            faults = judge_object(path, FORBIDDEN["fallback"])
            closed = judge_closed(path, "other")
            good = bool(faults) and len(closed) == 2
            print(f"{'caught' if good else 'MISSED'}: {name}: {(faults + closed)[:1]}")
            missed += not good
    return missed


def main():
    if not os.access(PROGRAM, os.X_OK):
        print("cpp_kernels: not built: skipped")
        return 77
    missed = self_test()

    faults = judge_objects()
    flags = processor_flags()
    for kernel in ("", *FORBIDDEN):
        faults += judge_run(kernel, flags)
    faults += judge_unknown()
    for fault in faults:
        print(fault)
    print(f"cpp_kernels: {len(faults)} faults, {missed} plants missed")
    return 1 if faults or missed else 0


if __name__ == "__main__":
    sys.exit(main())
