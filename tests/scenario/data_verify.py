"""data_verify.py: `matchrace data verify` and `show`: a whole dataset, and every way in which one is not."""

import json
import os

from data_common import SCHEMA, complains, main, manifest, path, read, run


def make(name: str, *words) -> str:
    run("make", "--batches", "40", "--batch-records", "5", "--force", "--out", path(name),
        *(words or ("--shape", "rejects")))
    return path(name)


def put(name: str, end: str, data: bytes) -> None:
    with open("%s.%s" % (name, end), "wb") as file:
        file.write(data)


def test_whole():
    name = make("whole", "--shape", "messy")
    text = run("verify", name).stdout
    assert "whole: 40 batches, 200 records" in text and "can be varied in at least" in text
    assert "reference/check.py dataset %s" % name in text
    assert run("verify", name + ".json").stdout.startswith(name)


def test_confirm():
    name = make("confirm")
    before = manifest(name)
    assert before["confirmed_by"] is None
    text = run("verify", name, "--confirm", "reference/check.py").stdout
    assert "confirmed by: reference/check.py" in text
    assert manifest(name) == {**before, "confirmed_by": "reference/check.py"}
    assert not SCHEMA.faults(manifest(name))
    assert "confirmed by: reference/check.py" in run("verify", name).stdout
    assert "reference/check.py" in run("show", name).stdout
    put(name, "answers", read(name, "answers")[:-1])
    complains(3, ".answers", words=("verify", name, "--confirm", "somebody else"))
    assert manifest(name)["confirmed_by"] == "reference/check.py"


def test_faults():
    for end in ("batches", "answers", "edits"):
        name = make("faults")
        data = read(name, end)
        put(name, end, data[: len(data) // 2])
        complains(3, "%s.%s" % (name, end), "truncated", "make the dataset again",
                  words=("verify", name))
        put(name, end, data + b"x")
        complains(3, "%s.%s" % (name, end), "something was added", words=("verify", name))
        middle = len(data) // 2
        put(name, end, data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
        complains(3, "%s.%s" % (name, end), words=("verify", name))
        os.unlink("%s.%s" % (name, end))
        complains(2, "%s.%s" % (name, end), "No such file", words=("verify", name))


def test_foreign():
    name = make("mine", "--shape", "rejects", "--seed", "1")
    other = make("other", "--shape", "rejects", "--seed", "2")
    put(name, "answers", read(other, "answers"))
    complains(3, name + ".answers", "not those of the manifest", words=("verify", name))
    complains(2, "nothing-here.json", "No such file", words=("verify", path("nothing-here")))
    complains(2, "nothing-here.json", "No such file", words=("show", path("nothing-here")))
    put(name, "json", b'{"this": "is something else"}')
    complains(3, name + ".json", '"schema" is missing', words=("verify", name))
    complains(3, name + ".json", '"schema" is missing', words=("show", name))
    put(name, "json", b"PK\x03\x04")
    complains(3, name + ".json", "no manifest", words=("verify", name))


def test_counts_of_the_manifest():
    for key in ("batches_rejected", "batches_accepted", "bytes", "records_accepted", "batches"):
        name = make("counts")
        told = manifest(name)
        told[key] += 1
        put(name, "json", json.dumps(told).encode())
        complains(3, words=("verify", name))


def test_show():
    name = make("show", "--shape", "rejects", "--seed", "5")
    text = run("show", name).stdout
    for what in ("shape rejects, seed 5", "20 accepted, 20 rejected", "white space bytes",
                 "made again by matchrace data make", "SHA-256", "Faults, by kind", "metric",
                 "a key is there twice" if "key-twice" in manifest(name)["faults"] else "Faults"):
        assert what in text, what


def test_usage():
    complains(2, "missing: 'NAME", words=("verify",))
    complains(2, "one word too many", words=("show", "a", "b"))


if __name__ == "__main__":
    main(globals())
