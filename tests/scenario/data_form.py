"""data_form.py: the forms that simple records can be made in: the same bytes for the same words, what is in
them counted by other means, answers that the independent reference agrees with, and wrong words."""

import hashlib
import json
import os
import subprocess
import sys

from data_common import ENDS, PROGRAM, ROOT, SCHEMA, complains, fresh, main, manifest, path, payloads, read, run

CHECK = os.path.join(ROOT, "reference", "check.py")

# SHA-256 of batches, answers and edits together, as they have always been for these words.
GOLDEN = {
    "--shuffled-keys": "3a7ee4b5ad88af6739a141b2bcaa8d110ffd3ef24cf82061d065361c0279a7b5",
    "--space spaced": "8bd3ff94ca3ffcfb858788aba0b2e1eae66c7325046a9107a53a8018b5972329",
    "--space lines": "008636753cb62cdf220f5c637ddcdb9720790981f198355b73b5a8214442d8c0",
    "--messy-share 5": "f296ff16dd8bec3ca7d1b7080326fb8fc919de91c5f6501d10d4235a0a6dedec",
    "--record-bytes 600": "c64a715b3865a7ed868fd875cc3798aaf613f8e7863730fd0b278e2134e828c3",
    "--escape-share 12.5%": "b45216585b90e3d2093de664e2596f33651bb1c8f1bae68a41770ac232373ce0",
    "--non-ascii-share 40": "ce0091d5d07cc9f3c151d48ab766f43fc3ad8faf96af077a0592bc6ca2718817",
    "--shuffled-keys --space lines --messy-share 1% --record-bytes 300 --escape-share 5 --non-ascii-share 5":
        "ac5763f085482b1ab2b8f4f0d1fbd022f2824f65b2051350861051438a248101",
}


def make(name: str, words: str, batches: int = 3) -> dict:
    run("make", "--shape", "simple", "--batches", str(batches), *words.split(), "--force", "--out", name)
    return manifest(name)


def records(name: str) -> list:
    """Every record with its pairs in their order."""
    return [record for text in payloads(name)
            for record in json.loads(text, object_pairs_hook=list)]


def test_same_words_same_bytes():
    folder = fresh("form-golden")
    for number, (words, golden) in enumerate(GOLDEN.items()):
        digests = []
        for place in ("one", "two"):
            name = os.path.join(folder, "%s-%d" % (place, number))
            make(name, words)
            digests.append(hashlib.sha256(b"".join(read(name, end) for end in ENDS[:3])).hexdigest())
        assert digests == [golden] * 2, (words, digests)


def test_reference_agrees():
    if not os.path.exists(CHECK):
        return
    for number, words in enumerate(GOLDEN):
        name = path("form-reference-%d" % number)
        make(name, words)
        done = subprocess.run([sys.executable, CHECK, "dataset", name, "--jobs", "1"], check=False,
                              capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, words + done.stdout + done.stderr


def test_manifest_and_command():
    name = path("form-manifest")
    assert "form" not in make(name, "")
    for words in GOLDEN:
        told = make(name, words)
        faults = SCHEMA.faults(told)
        assert not faults, (words, faults)
        assert SCHEMA.faults({**told, "form": {**told["form"], "space": "wild"}})
        before = [read(name, end) for end in ENDS]
        again = told["command"].split()
        subprocess.run([PROGRAM, *again[1:], "--force"], cwd=os.path.dirname(name), check=True,
                       stdout=subprocess.DEVNULL)
        assert before == [read(name, end) for end in ENDS], words
    assert told["form"] == {"keys": "shuffled", "space": "lines", "record_bytes": 300, "messy_percent": 1.0,
                            "escape_percent": 5.0, "non_ascii_percent": 5.0}


def test_keys():
    name = path("form-keys")
    make(name, "--shuffled-keys")
    orders = {tuple(key for key, _ in record) for record in records(name)}
    assert len(orders) > 600 and manifest(name)["composition"]["key_orders"] == len(orders)
    for place in range(7):
        assert len({order[place] for order in orders}) == 7


def as_dumped(text: bytes, **how) -> bytes:
    return json.dumps(json.loads(text), ensure_ascii=False, **how).encode()


def test_space():
    """Blanks stand where another writer of JSON puts them; numbers are the only tokens it writes anew."""
    name, plain = path("form-space"), path("form-plain")
    make(plain, "")
    make(name, "--space spaced")
    for compact, spaced in zip(payloads(plain), payloads(name)):
        assert as_dumped(spaced, separators=(",", ":")) == as_dumped(compact, separators=(",", ":"))
        assert spaced == compact.replace(b",", b", ").replace(b":", b": ")
    make(name, "--space lines")
    for compact, lines in zip(payloads(plain), payloads(name)):
        assert json.loads(lines) == json.loads(compact)
        assert lines.count(b"\n") == 10 * 256
        assert lines.startswith(b'[\n{\n    "id": ') and lines.endswith(b'"\n}\n]')


def test_sizes():
    name = path("form-sizes")
    for size in (140, 300, 1000, 2048):
        for space in ("compact", "lines"):
            told = make(name, "--record-bytes %d --space %s" % (size, space), 4)["composition"]["per_record"]
            mean = told["bytes"] - told["white_space_bytes"]
            assert abs(mean - size) <= 0.02 * size, (size, space, mean)


def test_messy_share():
    name = path("form-messy")
    make(name, "--messy-share 5", 16)
    # Sources of simple records all begin alike, those of messy ones hardly ever do.
    messy = sum(not dict(record)["source"].startswith("sensor-") for record in records(name))
    assert 140 < messy < 270, messy  # 205 expected, 14 a standard deviation
    make(name, "--messy-share 100", 2)
    assert sum(dict(record)["source"].startswith("sensor-") for record in records(name)) == 0


def test_text_shares():
    name = path("form-text")
    for share in (5, 30, 80):
        told = make(name, "--escape-share %d --record-bytes 400" % share, 4)["composition"]["per_record"]
        escapes = 2 * told["short_escapes"] + 6 * told["unicode_escapes"]
        assert abs(escapes / (400 - 135) - share / 100) < 0.06 * share / 100 + 0.01, (share, escapes)
        told = make(name, "--non-ascii-share %d --record-bytes 400" % share, 4)["composition"]["per_record"]
        wide = told["non_ascii_bytes"] / (400 - 135)
        assert abs(wide - share / 100) < 0.06 * share / 100 + 0.01, (share, wide)
        assert told["short_escapes"] == told["unicode_escapes"] == 0


def test_wrong_words():
    out = path("form-wrong")
    start = ("make", "--batches", "1", "--out", out, "--shape")
    for says, words in (("no simple records", ("messy", "--shuffled-keys")),
                        ("--space", ("simple", "--space", "wide")),
                        ("--record-bytes takes", ("simple", "--record-bytes", "139")),
                        ("--record-bytes takes", ("simple", "--record-bytes", "2049")),
                        ("--messy-share", ("simple", "--messy-share", "101")),
                        ("--escape-share", ("simple", "--escape-share", "x")),
                        ("100 percent together",
                         ("simple", "--escape-share", "60", "--non-ascii-share", "41"))):
        complains(2, says, words=(*start, *words))
    assert not os.path.exists(out + ".json")


if __name__ == "__main__":
    main(globals())
