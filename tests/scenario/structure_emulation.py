#!/usr/bin/env python3
# structure_emulation.py: every AVX-512 intrinsic of the kernel is emulated and compared, and in tests alone.
"""tests/emulation/avx512.h names what the AVX-512 kernel uses, no more and no less; intrinsics.c calls each of them.

No program outside of tests/emulation is linked with the emulated kernel.
"""

import re

import structure_common as tree

INTRINSIC = re.compile(r"\b(?:_mm512_\w+|_mm\w*_mask\w*|_k\w+_mask\d+)(?=\s*\()")
LINKED = re.compile(r"\bmr_avx512_emulated\b|\bmr_emulated\b|tests/emulation/")
DEFINED = re.compile(r"^#define (_\w+)[\s\\]+(?:simde|emulated)\1$", re.M)


def intrinsics(paths):
    return {name for path in paths for name in INTRINSIC.findall(tree.code_only(tree.read(path)))
            if "movemask" not in name}


def linked_elsewhere(root):
    files = tree.project_files(root, "lib", "apps", "contestants", "bindings", "tests", "cmake",
                               suffixes={".txt", ".cmake"})
    return [f"{path.relative_to(root)}: links what is emulated" for path in files
            if path.parent.name != "emulation" and LINKED.search(tree.read(path))]


def check(root):
    kernel = intrinsics([root / "lib/record/record_avx512.c",
                         *tree.project_files(root, "lib/record/avx512", suffixes={".h"})])
    emulated = set(DEFINED.findall(tree.read(root / "tests/emulation/avx512.h")))
    called = intrinsics([root / "tests/emulation/intrinsics.c"])
    return ([f"tests/emulation/avx512.h lacks {name}, which the kernel uses" for name in sorted(kernel - emulated)]
            + [f"tests/emulation/avx512.h has {name}, which the kernel does not use" for name in sorted(emulated - kernel)]
            + [f"tests/emulation/intrinsics.c does not call {name}" for name in sorted(emulated - called)]
            + linked_elsewhere(root))


PLANTS = [
    ("the kernel uses another intrinsic",
     lambda root: tree.append(root, "lib/record/avx512/sums.h", "#define PLANTED _mm512_abs_epi8(x)\n"),
     "avx512.h lacks _mm512_abs_epi8, which the kernel uses"),
    ("an intrinsic is emulated that nobody uses",
     lambda root: tree.append(root, "tests/emulation/avx512.h", "#define _mm512_abs_epi8 simde_mm512_abs_epi8\n"),
     "avx512.h has _mm512_abs_epi8, which the kernel does not use"),
    ("an intrinsic is not compared",
     lambda root: tree.write(root, "tests/emulation/intrinsics.c",
                             tree.read(root / "tests/emulation/intrinsics.c").replace("_mm512_packus_epi32(", "(")),
     "intrinsics.c does not call _mm512_packus_epi32"),
    ("a program that is none of its tests has the emulated kernel",
     lambda root: tree.append(root, "lib/record/CMakeLists.txt", "mr_emulated(mr_shared)\n"),
     "lib/record/CMakeLists.txt: links what is emulated"),
]

if __name__ == "__main__":
    tree.main(check, PLANTS, folders=["lib/record", "tests/emulation"])
