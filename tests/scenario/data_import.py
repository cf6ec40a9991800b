"""data_import.py: `matchrace data import`: records keep their bytes, answers are right, and what is
rejected is named with its line and byte."""

import json
import os

from data_common import (ENDS, SCHEMA, answers, complains, fresh, left_in, main, manifest, path,
                         payloads, read, run, write)


def record(number: int, **other) -> dict:
    return {"id": number, "timestamp": 1764000000000000 + number, "source": "s", "kind": "log",
            "value": number / 8, "flags": [], "message": "m%d" % number, **other}


def lines(count: int) -> list:
    return [json.dumps(record(number)) for number in range(count)]


def texts_of(name: str) -> list:
    return [payload.decode() for payload in payloads(name)]


def test_arrays_and_lines():
    """One dataset of an array, of lines, and of lines with white space around: bytes are kept."""
    parts = lines(23)
    parts[3] = '{ "message":"\\ud83d\\ude80 \u00e9 [,] {}","id":  3,"value":-0.0E+5,"flags":["retry"' \
               ',"urgent"],"kind":"\\u006cog","source":"a\\"b", "timestamp":99}'
    one = write("array.json", " [" + " ,\n".join(parts[:10]) + "\n]\n")
    two = write("lines.ndjson", "\n".join(parts[10:17]) + "\n")
    three = write("spaced.ndjson", "\r\n\n  ".join(parts[17:]))
    name = path("both")
    text = run("import", one, two, three, "--batch-records", "5", "--out", name).stdout
    assert "5 batches, 23 records" in text
    expected = ["[%s]" % ",".join(parts[at : at + 5]) for at in range(0, 23, 5)]
    assert texts_of(name) == expected
    assert [records for _, records, _ in answers(name)] == [5, 5, 5, 5, 3]
    told = manifest(name)
    assert not SCHEMA.faults(told), SCHEMA.faults(told)
    assert told["shape"] == "import" and told["seed"] is None and told["records"] == 23
    assert "lib/record" in told["computed_by"] and "yyjson" in told["computed_by"]
    assert told["composition"]["per_record"]["surrogate_pairs"] == round(1 / 23, 2)
    assert told["composition"]["values"]["negative_zeros"] == 1
    assert "can be varied in at least" in run("verify", name).stdout


def test_what_make_made():
    """The records of a made dataset, imported, have the answers that the emitter gave them."""
    made = path("made")
    run("make", "--shape", "messy", "--batches", "5", "--batch-records", "60", "--out", made)
    files = [write("made-%d.json" % number, payload) for number, payload in enumerate(payloads(made))]
    name = path("imported")
    run("import", *files, "--batch-records", "60", "--out", name)
    assert answers(name) == answers(made)
    assert manifest(name)["composition"]["kinds"] == manifest(made)["composition"]["kinds"]
    before = manifest(made)["composition"]["values"]
    assert manifest(name)["composition"]["values"] == before


def rejected(files: list, *says, out: str = "never") -> list:
    """Imports and expects exit code 3, nothing written, and each of `says` in a line of its own."""
    folder = fresh(out)
    done = run("import", *files, "--out", os.path.join(folder, "set"), code=3)
    assert left_in(folder) == [], left_in(folder)
    os.rmdir(folder)
    told = done.stderr.splitlines()
    assert "nothing was written" in told[-1], told
    for what in says:
        assert any(what in line for line in told[:-1]), (what, told)
    return told


def test_faults_of_lines():
    parts = lines(8)
    parts[2] = parts[2].replace('"kind": "log"', '"kind": "lag"')
    parts[5] = parts[5][:-1]
    file = write("faulty.ndjson", "\n".join(parts))
    told = rejected([file])
    third = sum(len(part) + 1 for part in parts[:2]) + parts[2].index('"lag"')
    sixth = sum(len(part) + 1 for part in parts[:6]) - 1
    assert len(told) == 3, told
    place = "%s: line 3, byte " % file
    assert told[0].startswith(place), told[0]
    assert abs(int(told[0][len(place) :].split(":")[0]) - third) <= 4, (told[0], third)
    assert told[1].startswith("%s: line 6, byte %d: " % (file, sixth)), (told[1], sixth)
    assert "the record ends too early" in told[1]
    assert "2 faults in all" in told[2]


def test_faults_of_arrays():
    parts = lines(6)
    parts[4] = parts[4].replace('"flags": []', '"flags":\n\n[null]')
    file = write("faulty.json", "[\n" + ",\n".join(parts) + "\n]")
    rejected([file], "%s: line 8, byte " % file)
    for text, says in (
            ("[" + parts[0], "line 1, byte %d: the file ends within the array" % (1 + len(parts[0]))),
            ("[%s,\n,%s]" % (parts[0], parts[1]), "line 2, byte %d: a comma" % (3 + len(parts[0]))),
            ("[%s]\nx" % parts[0], "line 2, byte %d: something stands behind" % (3 + len(parts[0]))),
            ("", "line 1, byte 0: the file holds no record"),
            (" \n", "holds no record"),
            ("[ ]", "holds no record"),
            ("\ufeff[%s]" % parts[0], "byte order mark"),
            ("nonsense", "line 1, byte 0: "),
            ("[%s]" % json.dumps([record(1)]), "line 1, byte "),
            ("%s,%s" % (parts[0], parts[1]), "not one record but more"),
            ("[%s]" % json.dumps({**record(1), "more": 1}), "line 1, byte ")):
        rejected([write("odd.json", text)], says)
    rejected([write("bytes.json", b'[{"id":1,"source":"\xff"}]')], "line 1, byte 19: ")


def test_fields_are_named():
    """Which record and which field: nested names, a name in a text, and names with escapes mislead nobody."""
    def of(changes: dict, gone=()) -> str:
        return json.dumps({key: value for key, value in {**record(1), **changes}.items() if key not in gone})
    for text, says in (
            (of({"value": "5"}), ', field "value": a value of this type'),
            (of({"message": '"value":', "flags": ["urgent", "nope"]}), ', field "flags": not one of urgent'),
            (of({}, gone=("flags", "message")), ', without "flags", "message": the record ends'),
            (of({"more\n" * 20: 1}), ', field "%s…": a record has no such key' % ("more\\n" * 6 + "more")),
            ('{"\\u0069d":1}', ": the record ends"),
            ('{"id":-1}', ', field "id": '),
            ("{", ": ")):
        told = rejected([write("named.ndjson", "%s\n\n%s" % (lines(1)[0], text))], "line 3, byte ")
        assert "record 2" + says in told[0], (told, says)


def test_good_files_beside_a_bad_one():
    good = write("good.ndjson", "\n".join(lines(300)))
    bad = write("bad.ndjson", "\n".join(lines(2) + ["{}"]))
    rejected([good, bad, good], "%s: line 3, byte " % bad)


def test_twenty_are_shown():
    file = write("many.ndjson", "\n".join(["{}"] * 33))
    told = rejected([file], "%s: line 20," % file)
    assert len(told) == 22, told
    assert told[20] == "\u2026 and 13 more" and "33 faults in all" in told[21]


def test_one_clear_fault():
    """A missing key is named; a record that is spread over lines is one fault, not one a line."""
    lacking = record(1)
    del lacking["flags"]
    told = rejected([write("lacking.ndjson", json.dumps(lacking))], "flags")
    assert "1 fault in all" in told[-1], told
    pretty = json.dumps(record(1) | {"message": "a { in a \\\" text"}, indent=2)
    told = rejected([write("pretty.ndjson", pretty)], "goes on behind its line")
    assert len(told) == 2 and "1 fault in all" in told[1], told
    run("import", write("between.json", "[%s]" % pretty), "--out", path("between-set"))
    run("import", write("braces.ndjson", json.dumps(record(1) | {"message": "{ [ \\\" {"}) + "\n"), "--out", path("braces"))


def test_name_of_a_file():
    """--out takes the name of the manifest for the dataset's, as all do that read one."""
    folder = fresh("named")
    done = run("import", write("named.ndjson", lines(1)[0]), "--out", os.path.join(folder, "x.json"))
    assert sorted(left_in(folder)) == ["x.answers", "x.batches", "x.edits", "x.json"], left_in(folder)
    assert "data show %s\n" % os.path.join(folder, "x") in done.stdout, done.stdout
    run("make", "--shape", "simple", "--batches", "1", "--out", os.path.join(folder, "y.batches"))
    assert "y.json" in left_in(folder), left_in(folder)


def test_copies():
    """Two batches of the same bytes would let a contestant remember."""
    file = write("copies.ndjson", "\n".join(lines(10)))
    folder = fresh("copies")
    complains(3, "batches 0 and 2 hold the same bytes", "nothing was written",
              words=("import", file, file, "--batch-records", "5", "--out",
                     os.path.join(folder, "set")))
    assert left_in(folder) == []
    run("import", file, file, "--batch-records", "256", "--out", os.path.join(folder, "set"))


def test_small_timestamps():
    """Places with few digits are better than none; one digit is too few."""
    few = write("few.ndjson", "\n".join(json.dumps(record(n, timestamp=10 + n)) for n in range(9)))
    name = path("few")
    run("import", few, "--out", name)
    assert "at least 36 ways" in run("verify", name).stdout  # four places of nine
    none = write("none.ndjson", "\n".join(json.dumps(record(n, timestamp=n)) for n in range(9)))
    run("import", none, "--force", "--out", name)
    assert "1 of the batches can't be varied" in run("verify", name).stdout


def test_usage_and_environment():
    file = write("one.ndjson", lines(1)[0])
    name = path("usage")
    complains(2, "missing: 'FILE", words=("import", "--out", name))
    complains(2, "--out is missing", words=("import", file))
    complains(2, "--batch-records takes", words=("import", file, "--batch-records", "0", "--out", name))
    complains(2, "no-such-file", "No such file", words=("import", path("no-such-file"), "--out", name))
    complains(2, "Is a directory", words=("import", path(""), "--out", name))
    assert not os.path.exists(name + ".json")
    run("import", file, "--out", name)
    before = [read(name, end) for end in ENDS]
    complains(2, "--force", words=("import", file, "--out", name))
    assert before == [read(name, end) for end in ENDS]
    run("import", file, "--force", "--out", name)


def test_large_records_close_a_batch():
    """A batch ends before it would be larger than a frame; a record that is larger is named."""
    name = path("wide")
    digits = "0." + "1" * 6000000
    wide = ['{"id":%d,"timestamp":1764000000000000,"source":"s","kind":"log","value":%s,"flags":[],'
            '"message":""}' % (number, digits) for number in range(4)]
    run("import", write("wide.ndjson", "\n".join(wide)), "--out", name)
    assert [records for _, records, _ in answers(name)] == [2, 2]
    run("verify", name)
    huge = wide[0].replace(digits, "0." + "1" * 17000000)
    rejected([write("huge.ndjson", huge)], "larger than a frame")


if __name__ == "__main__":
    main(globals())
