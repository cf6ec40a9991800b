"""data_make.py: `matchrace data make`: the same bytes for the same seed, what is in them, and every
way in which it can fail."""

import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import time

from data_common import (ENDS, PROGRAM, SCHEMA, answers, complains, fresh, left_in, main, manifest,
                         path, payloads, read, run)

# SHA-256 of batches, answers and edits together, as they have always been for these words. A change
# of one of them is a change of every published dataset of that shape.
GOLDEN = {
    "--shape simple --seed 42 --batches 6 --batch-records 64":
        "d72386d09cdc1b8422f692e6732d2717f1089aacf4a92886e44ba2ae89740972",
    "--shape messy --seed 42 --batches 6 --batch-records 64":
        "11007b1b600979f4a63de38a869a9112459345fa3617e1c85658c0d0bf8edc12",
    "--shape rejects --seed 42 --batches 220 --batch-records 6":
        "7a7e41e2738f7e42b00f4d9865d47fe65dd84d15451ffdb394edce7a035f08f1",
    "--shape mixed-7 --seed 1 --batches 60 --batch-records 12":
        "3d6128f5cea76340c0eafe76a57c33b4bf55ae9494b53d44d2091badf918971b",
}


def digest_of(name: str) -> str:
    return hashlib.sha256(b"".join(read(name, end) for end in ENDS[:3])).hexdigest()


def test_same_seed_same_bytes():
    folder = fresh("golden")
    for number, (words, golden) in enumerate(GOLDEN.items()):
        names = [os.path.join(folder, "%s-%d" % (place, number)) for place in ("one", "two")]
        for name in names:
            run("make", *words.split(), "--out", name)
        for end in ENDS[:3]:
            assert read(names[0], end) == read(names[1], end), (words, end)
        assert digest_of(names[0]) == golden, (words, digest_of(names[0]))


def test_more_batches_begin_alike():
    folder = fresh("prefix")
    for number, shape in enumerate(("messy", "rejects")):
        few, many = (os.path.join(folder, "%s-%d" % (name, number)) for name in ("few", "many"))
        run("make", "--shape", shape, "--batches", "10", "--batch-records", "20", "--out", few)
        run("make", "--shape", shape, "--batches", "25", "--batch-records", "20", "--out", many)
        for end in ENDS[:3]:
            assert read(many, end).startswith(read(few, end)), (shape, end)


def test_bytes_are_a_least():
    name = path("by-bytes")
    run("make", "--shape", "messy", "--bytes", "300KiB", "--batch-records", "32", "--out", name)
    sizes = [len(payload) for payload in payloads(name)]
    assert sum(sizes) >= 300 * 1024 > sum(sizes[:-1])
    assert manifest(name)["bytes"] == sum(sizes)


def test_made_again_by_its_command():
    name = path("again")
    run("make", "--shape", "rejects", "--seed", "77", "--bytes", "100KiB", "--batch-records", "16",
        "--reject-share", "12.5%", "--out", name)
    before = [read(name, end) for end in ENDS]
    words = manifest(name)["command"].split()
    assert words[:3] == ["matchrace", "data", "make"]
    subprocess.run([PROGRAM, *words[1:], "--force"], cwd=os.path.dirname(name), check=True,
                   stdout=subprocess.DEVNULL)
    assert before == [read(name, end) for end in ENDS]


def strings_and_rest(text: bytes) -> tuple:
    """All strings of a JSON text with their quotes, and what stands outside them."""
    string = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
    return string.findall(text), string.sub(b"", text)


def counted(texts: list) -> dict:
    """What the manifest counts, from the bytes alone and by other means."""
    inside, outside = [], []
    for text in texts:
        strings, rest = strings_and_rest(text)
        inside += strings
        outside.append(rest)
    escapes = re.findall(rb"\\(u[0-9a-fA-F]{4}|.)", b"".join(inside), re.DOTALL)
    units = [int(escape[1:], 16) for escape in escapes if escape.startswith(b"u")]
    return {
        "short_escapes": len(escapes) - len(units),
        "unicode_escapes": len(units),
        "surrogate_pairs": sum(0xD800 <= unit < 0xDC00 for unit in units),
        "non_ascii_bytes": sum(byte >= 0x80 for text in texts for byte in text),
        "white_space_bytes": sum(rest.count(space) for rest in outside for space in b" \t\n\r"),
        "bytes": sum(len(text) for text in texts),
    }


def test_composition_is_what_is_there():
    name = path("composition")
    for shape in ("simple", "messy"):
        run("make", "--shape", shape, "--batches", "6", "--force", "--out", name)
        told = manifest(name)
        composition = told["composition"]
        texts = payloads(name)
        for key, count in counted(texts).items():
            assert abs(composition["per_record"][key] - count / told["records"]) < 0.006, (shape, key)
        records = [record for text in texts for record in json.loads(text)]
        assert len(records) == told["records"] == 6 * 256
        orders = {tuple(record) for record in records}
        assert len(orders) == composition["key_orders"]
        said = sum(len(record["message"].encode()) for record in records)
        assert abs(said / len(records) - composition["per_record"]["message_bytes"]) < 0.006
        for kind, count in composition["kinds"].items():
            assert count == sum(record["kind"] == kind for record in records)
        for flag, count in composition["flags"].items():
            assert count == sum(flag in record["flags"] for record in records)
        for digits, count in enumerate(composition["id_digits"], 1):
            assert count == sum(len(str(record["id"])) == digits for record in records)
        assert sum(composition["values"]["lengths"]) == len(records)


def test_targets():
    name = path("targets")
    for shape, target in (("simple", 158), ("messy", 763)):
        for seed in ("1", "2", "3"):
            run("make", "--shape", shape, "--seed", seed, "--batches", "8", "--force", "--out", name)
            told = manifest(name)
            assert abs(told["bytes"] / told["records"] - target) <= 0.02 * target, (shape, seed)
            if shape == "messy":
                means = told["composition"]["per_record"]
                assert abs(means["short_escapes"] - 22) < 0.5
                assert abs(means["unicode_escapes"] - 9) < 0.3
                assert abs(means["non_ascii_bytes"] - 45) < 1
                assert means["surrogate_pairs"] > 1


def test_manifest():
    name = path("manifest")
    for shape in ("simple", "messy", "rejects", "mixed-20"):
        run("make", "--shape", shape, "--batches", "110", "--batch-records", "4", "--force",
            "--out", name)
        told = manifest(name)
        faults = SCHEMA.faults(told)
        assert not faults, faults
        assert SCHEMA.faults({**told, "seed": "42"}) and SCHEMA.faults({**told, "more": 1})
        for end in ENDS[:3]:
            data = read(name, end)
            assert told["files"][end] == {"bytes": len(data),
                                          "sha256": hashlib.sha256(data).hexdigest()}
        rejected = sum(status for status, _, _ in answers(name))
        assert told["batches_rejected"] == rejected == sum(told["faults"].values())
        assert rejected == {"rejects": 55, "mixed-20": 22}.get(shape, 0)
        assert told["records_accepted"] == sum(records for _, records, _ in answers(name))
        assert told["records"] == 440 and told["name"] == "manifest"
        assert "empty" not in told["faults"] or shape == "rejects"


def test_large_faults():
    name = path("large")
    run("make", "--shape", "rejects", "--reject-share", "100", "--batches", "53", "--batch-records",
        "4", "--large-faults", "--out", name)
    assert manifest(name)["faults"]["records-max"] == 1
    assert max(len(payload) for payload in payloads(name)) > 5000000
    run("verify", name)


def test_existing_is_left_alone():
    folder = fresh("existing")
    name = os.path.join(folder, "set")
    run("make", "--shape", "simple", "--batches", "2", "--out", name)
    before = [read(name, end) for end in ENDS]
    words = ("make", "--shape", "messy", "--batches", "2", "--out", name)
    complains(2, name, "--force", words=words)
    assert before == [read(name, end) for end in ENDS]
    for end in ENDS[1:]:
        os.unlink("%s.%s" % (name, end))
    complains(2, name + ".batches", "--force", words=words)
    run(*words, "--force")
    assert manifest(name)["shape"] == "messy"
    run("verify", name)
    assert left_in(folder) == sorted("set." + end for end in ENDS)


def test_wrong_usage():
    out = path("usage")
    for says, words in (
            ("--out", ()),
            ("--shape", ("--out", out)),
            ("mixed-N", ("--shape", "mixed-0", "--out", out)),
            ("mixed-N", ("--shape", "mixed-100", "--out", out)),
            ("--shape", ("--shape", "nice", "--out", out)),
            ("--batches and --bytes", ("--shape", "simple", "--out", out)),
            ("--batches and --bytes",
             ("--shape", "simple", "--batches", "1", "--bytes", "1KiB", "--out", out)),
            ("--batches takes", ("--shape", "simple", "--batches", "0", "--out", out)),
            ("--batch-records takes",
             ("--shape", "simple", "--batches", "1", "--batch-records", "65536", "--out", out)),
            ("--seed takes", ("--shape", "simple", "--seed", "-1", "--batches", "1", "--out", out)),
            ("--reject-share", ("--shape", "simple", "--batches", "1", "--reject-share", "101",
                                "--out", out)),
            ("--reject-share", ("--shape", "simple", "--batches", "1", "--reject-share", "1.x",
                                "--out", out)),
            ("one word too many", ("--shape", "simple", "--batches", "1", "--out", out, "more")),
            ("unknown option", ("--colour", "blue")),
            ("no name for a dataset", ("--shape", "simple", "--batches", "1", "--out", out + "/"))):
        complains(2, says, words=("make", *words))
    done = run(code=2)
    assert "which command" in done.stderr
    assert "unknown command 'mkae'" in run("mkae", code=2).stderr
    assert not os.path.exists(out + ".json")


def test_help():
    assert "matchrace data make --shape messy" in run("--help").stdout
    for word in ("make", "import", "show", "verify"):
        text = run(word, "--help").stdout
        assert "Usage: matchrace data %s" % word in text and "Examples:" in text


def test_batch_larger_than_a_frame():
    folder = fresh("frame")
    complains(2, "16777216", "--batch-records",
              words=("make", "--shape", "messy", "--batches", "1", "--batch-records", "40000",
                     "--out", os.path.join(folder, "set")))
    assert left_in(folder) == []


def test_name_that_cannot_be_taken():
    """What fails between the files' names leaves no manifest, so nothing that looks like a dataset."""
    folder = fresh("taken")
    name = os.path.join(folder, "set")
    run("make", "--shape", "simple", "--batches", "1", "--out", name)
    os.unlink(name + ".answers")
    os.makedirs(os.path.join(name + ".answers", "something"))
    complains(2, name + ".answers",
              words=("make", "--shape", "messy", "--batches", "1", "--force", "--out", name))
    assert not os.path.exists(name + ".json")
    assert left_in(folder) == ["set.answers", "set.edits"], left_in(folder)


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))


def test_disk_full():
    """A file that may not grow any more is what a full disk is to a program."""
    folder = fresh("full")
    name = os.path.join(folder, "set")
    words = ("make", "--shape", "messy", "--bytes", "8MiB", "--out", name)
    complains(1, name + ".batches", "nothing of the dataset was left behind", words=words,
              preexec_fn=limit_files)
    assert left_in(folder) == []
    run("make", "--shape", "simple", "--batches", "1", "--out", name)
    before = [read(name, end) for end in ENDS]
    complains(1, name, "left behind", words=(*words, "--force"), preexec_fn=limit_files)
    assert before == [read(name, end) for end in ENDS]
    assert left_in(folder) == sorted("set." + end for end in ENDS)


def test_folder_that_cannot_be():
    folder = fresh("places")
    with open(os.path.join(folder, "file"), "wb"):
        pass
    below = os.path.join(folder, "file", "deep", "set")
    words = ("make", "--shape", "simple", "--batches", "1", "--out")
    complains(2, os.path.join(folder, "file"), "Not a directory", words=(*words, below))
    os.mkdir(os.path.join(folder, "closed"))
    os.chmod(os.path.join(folder, "closed"), 0o555)
    closed = os.path.join(folder, "closed", "set")
    if os.geteuid() == 0:  # to whom no folder is closed, but one of the kernel's is
        closed = "/proc/self/set"
    line = complains(2 if closed.startswith("/proc") else 1, closed, words=(*words, closed))
    assert "denied" in line or "No such file" in line or "not permitted" in line, line


def start(name: str) -> subprocess.Popen:
    """A making that takes long, once it has begun to write."""
    process = subprocess.Popen([PROGRAM, "data", "make", "--shape", "messy", "--bytes", "64GiB",
                                "--out", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, preexec_fn=lambda: resource.setrlimit(
                                   resource.RLIMIT_FSIZE, (1 << 30, 1 << 30)))
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if os.path.exists(name + ".batches.partial") and os.path.getsize(name + ".batches.partial"):
            return process
        time.sleep(0.01)
    process.kill()
    raise AssertionError("nothing was written: %s" % process.communicate()[1])


def test_stopped():
    folder = fresh("stopped")
    name = os.path.join(folder, "set")
    for how, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        process = start(name)
        process.send_signal(how)
        _, said = process.communicate(timeout=20)
        assert process.returncode == code, (how, process.returncode, said)
        assert "nothing of the dataset was left behind" in said
        assert left_in(folder) == []


def test_killed():
    """Parts of it remain, under names that nothing takes for a dataset, and the next one clears them."""
    folder = fresh("killed")
    name = os.path.join(folder, "set")
    process = start(name)
    process.kill()
    process.communicate(timeout=20)
    assert left_in(folder) == ["set.answers.partial", "set.batches.partial", "set.edits.partial"]
    complains(2, name + ".json", "No such file", words=("verify", name))
    run("make", "--shape", "simple", "--batches", "3", "--out", name)
    assert left_in(folder) == sorted("set." + end for end in ENDS)
    run("verify", name)


def test_two_at_once():
    folder = fresh("twice")
    name = os.path.join(folder, "set")
    process = start(name)
    try:
        complains(1, "another program is writing this dataset",
                  words=("make", "--shape", "simple", "--batches", "1", "--out", name))
        assert os.path.exists(name + ".batches.partial")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert left_in(folder) == []


if __name__ == "__main__":
    main(globals())
