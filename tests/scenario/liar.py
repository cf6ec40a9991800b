#!/usr/bin/env python3
"""liar.py: the example contestant, telling one lie: what the load generator must catch.

`liar.py serve --mode keep --lie stale-digest` does the job of docs/PROTOCOL.md but for the one thing
that its --lie names; without --lie it is honest. LIES says of each lie what it does and which gate of
`matchrace load` must catch it. `liar.py manifests FOLDER` makes FOLDER/liar-LIE/contestant.json for
each lie and for the honest one, so that a campaign can race a liar like anybody else.
"""

import asyncio
import json
import os
import random
import re
import sys
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "contestants", "example-python")
sys.path.insert(0, EXAMPLE)
import server as example  # noqa: E402  (the example contestant, as a module)
from ingest import HEAD, Rejected  # noqa: E402
from xxh3 import M64, xxh3  # noqa: E402


class Lie(NamedTuple):
    """What a lie is, and the gate that it must fail."""

    gate: str
    what: str


LIES = {
    "skip-records": Lie("answers", "leaves out every 100th record"),
    "skip-1000th": Lie("answers", "leaves out every 1000th record"),
    "before-parsing": Lie("answers", "answers a batch that is there, and parses it afterwards"),
    "stale-digest": Lie("answers", "now and then answers with the digest of the batch before"),
    "remember": Lie("answers", "keeps answers by a batch's bytes except its timestamps' digits"),
    "remember-length": Lie("answers", "keeps answers by a batch's length and first bytes"),
    "reject-all": Lie("answers", "rejects every batch, unread"),
    "accept-all": Lie("answers", "accepts every batch, unread"),
    "reorder": Lie("answers", "now and then exchanges two replies of a connection"),
    "duplicate": Lie("answers", "now and then sends a reply twice"),
    "wrong-sequence": Lie("answers", "now and then echoes another sequence number"),
    "swallow": Lie("answers", "never answers one batch of each connection"),
    "early": Lie("early", "answers when it has seen a batch's header"),
    "early-later": Lie("early", "the same, but behaves for the first 5 batches of a connection"),
    "close": Lie("lost", "closes a connection in the middle"),
    "close-each": Lie("lost", "closes a connection after each reply"),
    "close-1000th": Lie("lost", "closes the connection after every 1000th reply"),
    "close-random": Lie("lost", "closes a connection at a random batch, about one in a hundred"),
    "half-close": Lie("lost", "shuts its side down in the middle, with nothing in flight lost"),
    "wrong-stats": Lie("stats", "counts one record too many in a while"),
    "forget-stats": Lie("stats", "leaves one batch in twenty out of its totals"),
    "wrong-kept": Lie("kept", "keeps a batch's records but for the last one"),
    "stale-kept": Lie("kept", "keeps the batch before once more in place of every third one"),
    "lazy-kept": Lie("kept", "keeps every other batch only"),
    "error-frame": Lie("protocol", "sends ERROR in the middle"),
    "bad-frame": Lie("protocol", "puts a wrong protocol version into a reply"),
    "nonsense": Lie("protocol", "sends a frame of a type that nobody asked for"),
}
# Every answer is right; a gate of a race's trials must catch it.
RACE_LIES = {
    "remember-texts": Lie("novelty", "keeps every text and its answer, and reads of a known text only the records "
                                     "whose timestamp has changed"),
}
# Allowed, though unusual: no gate may fail.
ODDITIES = {
    "dribble": "sends each reply byte by byte",
    "hasty": "rejects a bad batch when all but its last byte is there",
    "hoard": "sends replies in bundles of up to three, never later than it must",
    "late-byte": "sends a reply but for its last byte, and that byte 20 ms later",
    "delay": "answers each batch of its tenth connection a second late, in order",
}
LATE_BYTE_S = 0.02
DELAY_S = 1.0
DIGITS = re.compile(rb'("timestamp"\s*:\s*)\d+')
TIMES = re.compile(rb'"timestamp":(\d+)')  # of compact text


class Liar(example.Server):
    """The example's server with one lie."""

    def __init__(self, options):
        super().__init__(options)
        self.lie = options.lie
        self.batches = self.records = 0
        self.memory = {}
        self.last_digest = 0
        self.connections = self.replies = 0
        self.random = random.Random(1)

    # --- lies about values -----------------------------------------------------------------------

    def take(self, payload, ring):
        """(status, records, digest) of a batch, as the lie has it."""
        self.batches += 1
        if self.lie == "reject-all":
            return 1, 0, 0
        if self.lie == "accept-all":
            return 0, 0, 0
        if self.lie == "before-parsing":
            answer = self.ingest.take(payload, ring)  # its totals and copies are right
            return answer and (0, payload.count(b'"id"'), 0)
        if self.lie in ("remember", "remember-length"):
            key = (DIGITS.sub(rb"\1", payload) if self.lie == "remember"
                   else (len(payload), payload[:16]))
            if key not in self.memory:
                self.memory[key] = self.ingest.take(payload, ring)
            return self.memory[key]
        if self.lie == "remember-texts":
            return self.take_known(payload, ring)
        if self.lie == "forget-stats" and self.batches % 20 == 19:
            totals, self.ingest.totals = self.ingest.totals, type(self.ingest.totals)()
            answer = self.ingest.take(payload, ring)
            self.ingest.totals = totals
            return answer
        answer = self.ingest.take(payload, ring)
        if answer is None or answer[0] != 0:
            return answer
        return self.bend(answer, ring)

    def take_known(self, payload, ring):
        """The right answer; of a text that was here before only what changed is parsed."""
        times = TIMES.findall(payload)
        key = hash((len(payload), payload[:64], payload[-64:]))
        known = self.memory.get(key)
        if known is None or len(known[0]) != len(times):
            records = self.ingest.parser.parse(payload)
            self.memory[key] = times, records, [*map(xxh3, records)]
            known = self.memory[key]
        records, digests = list(known[1]), list(known[2])
        for at, (old, new) in enumerate(zip(known[0], times)):
            if old != new:
                id_, _, *others = HEAD.unpack_from(records[at])
                records[at] = HEAD.pack(id_, int(new), *others) + records[at][HEAD.size:]
                digests[at] = xxh3(records[at])
        digest = sum(digests) & M64
        ring.keep(records)
        self.ingest.totals.accept(records, digest, len(payload))
        return 0, len(records), digest

    def bend(self, answer, ring):
        """The right answer of an accepted batch, bent."""
        status, records, digest = answer
        before, self.records = self.records, self.records + records
        stale, self.last_digest = self.last_digest, digest
        skipped = {"skip-records": 100, "skip-1000th": 1000}.get(self.lie)
        if skipped and before // skipped != self.records // skipped:
            return status, records - 1, digest ^ 1
        if self.lie == "stale-digest" and self.batches % 20 == 19:
            return status, records, stale
        if self.lie == "wrong-stats" and self.batches % 16 == 15:
            self.ingest.totals.records += 1
        if self.lie == "wrong-kept" and ring.places and ring.places[-1]:
            heads = example_records(ring.places[-1])
            ring.places[-1] = type(ring.places[-1])(b"".join(heads[:-1]))
        if self.lie == "stale-kept" and self.batches % 3 == 2 and len(ring.places) > 1:
            ring.places[-1] = type(ring.places[-1])(ring.places[-2])
        if self.lie == "lazy-kept" and self.batches % 2 == 1 and ring.places:
            ring.places.pop()
        return answer

    def answer(self, kind, payload, ring):
        if kind != example.BATCH:
            return super().answer(kind, payload, ring)
        answer = self.take(payload, ring)
        if answer is None:
            raise example.Broken("the kept batches are larger than --max-kept")
        return example.ACKNOWLEDGE, example.ACK.pack(*answer, 0, 0, 0)

    # --- lies about the wire ---------------------------------------------------------------------

    async def talk(self, reader, writer, ring):
        sequence, batches, held = 0, 0, []
        self.connections += 1
        delayed = self.lie == "delay" and self.connections == 10
        try:
            if ring not in self.rings:
                raise example.Broken("too many connections; see --max-connections")
            while True:
                head = await reader.readexactly(example.FRAME.size)
                size, kind, version, reserved, sequence = example.FRAME.unpack(head)
                self.check(size, kind, version, reserved)
                batches += kind == example.BATCH
                if kind == example.BATCH and (self.lie == "early" or
                                              (self.lie == "early-later" and batches > 5)):
                    await self.answer_early(reader, writer, sequence, size, ring)
                    continue
                if self.lie == "hasty" and kind == example.BATCH:
                    payload = await self.read_hastily(reader, writer, sequence, size)
                    if payload is None:
                        continue
                else:
                    payload = await reader.readexactly(size)
                reply, text = self.answer(kind, payload, ring)
                frame = example.FRAME.pack(len(text), reply, 1, 0, sequence) + text
                if kind == example.BATCH and delayed:
                    asyncio.get_running_loop().call_later(DELAY_S, writer.write, frame)
                elif kind == example.BATCH:
                    if not await self.send_reply(writer, frame, batches, held, reader):
                        return
                else:
                    writer.write(b"".join(held) + frame)
                    held.clear()
                await writer.drain()
        except example.Broken as fault:
            text = str(fault).encode()
            writer.write(example.FRAME.pack(len(text), example.ERROR, 1, 0, sequence) + text)
            writer.transport.set_write_buffer_limits(0)
            await writer.drain()
            writer.write_eof()

    async def answer_early(self, reader, writer, sequence, size, ring):
        """Answers as it will have to for drain; what it says in other modes is a guess."""
        text = example.ACK.pack(0, 0, 0, 0, 0, 0)
        writer.write(example.FRAME.pack(len(text), example.ACKNOWLEDGE, 1, 0, sequence) + text)
        await writer.drain()
        self.ingest.take(await reader.readexactly(size), ring)

    async def read_hastily(self, reader, writer, sequence, size):
        """The payload; None when it was rejected already: no last byte could have saved it."""
        payload = await reader.readexactly(max(size - 1, 0))
        bad = size > 1 and all(self.is_bad(payload + end) for end in (b"", b"]", b" "))
        if bad:
            self.ingest.totals.batches_rejected += 1
            text = example.ACK.pack(1, 0, 0, 0, 0, 0)
            writer.write(example.FRAME.pack(len(text), example.ACKNOWLEDGE, 1, 0, sequence) + text)
            await writer.drain()
        payload += await reader.readexactly(size - len(payload))
        return None if bad else payload

    def is_bad(self, payload):
        try:
            self.ingest.parser.parse(payload)
        except Rejected:
            return True
        return False

    async def send_reply(self, writer, frame, batches, held, reader):
        """Sends the reply to a batch. False: the connection ends here."""
        middle = batches % 10 == 9
        self.replies += 1
        if (self.lie == "close-each" or (self.lie == "close-1000th" and self.replies % 1000 == 0) or
                (self.lie == "close-random" and self.random.random() < 0.01)):
            writer.write(frame)
            return False
        if self.lie == "late-byte":
            writer.write(frame[:-1])
            await asyncio.sleep(LATE_BYTE_S)
            writer.write(frame[-1:])
            return True
        if self.lie == "close" and middle:
            return False
        if self.lie == "half-close" and middle:
            writer.write(frame)
            writer.write_eof()
            await asyncio.sleep(1)
            return False
        if self.lie == "error-frame" and middle:
            raise example.Broken("this server has lost its temper")
        if self.lie == "swallow" and batches == 9:
            return True
        if self.lie == "reorder" and middle:
            held.append(frame)  # goes out behind the next one
            return True
        if self.lie == "wrong-sequence" and middle:
            frame = frame[:8] + bytes([frame[8] ^ 1]) + frame[9:]
        if self.lie == "bad-frame" and middle:
            frame = frame[:5] + b"\x02" + frame[6:]
        if self.lie == "nonsense" and middle:
            frame += example.FRAME.pack(0, 0x85, 1, 0, 7)
        if self.lie == "duplicate" and middle:
            frame += frame
        if self.lie == "dribble":
            for byte in frame:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0)
            return True
        if self.lie == "hoard":
            held.append(frame)
            await asyncio.sleep(0)
            # Nothing more has come in, as far as the stream knows: whoever waits gets its answers.
            if len(held) < 3 and len(reader._buffer) >= example.FRAME.size:
                return True
            writer.write(b"".join(held))
            held.clear()
            return True
        writer.write(frame + b"".join(held))
        held.clear()
        return True


def example_records(place):
    """The canonical forms of a ring's place."""
    at, records = 0, []
    while at < len(place):
        *_, source_bytes, message_bytes = HEAD.unpack_from(place, at)
        end = at + HEAD.size + source_bytes + message_bytes
        records.append(bytes(place[at:end]))
        at = end
    return records


def write_manifests(folder):
    """A contestant of its own for each lie; `--lie` stands before the contract's words."""
    with open(os.path.join(EXAMPLE, "contestant.json"), encoding="utf-8") as file:
        contestant = json.load(file)
    here = os.path.join(HERE, "liar.py")
    contestant |= {"build": None, "parser_files": [here], "variants": {},
                   "how": "The example in Python, telling one lie: a test of the lab, no contestant."}
    for lie in ("honest", *LIES, *RACE_LIES):
        contestant |= {"name": "liar-" + lie, "run": [sys.executable, here, "--lie", lie]}
        place = os.path.join(folder, contestant["name"])
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, "contestant.json"), "w", encoding="utf-8") as file:
            json.dump(contestant, file, indent=2)
            file.write("\n")


def main():
    if sys.argv[1:2] == ["manifests"] and len(sys.argv) == 3:
        write_manifests(sys.argv[2])
        return
    lie = "honest"
    if "--lie" in sys.argv:
        at = sys.argv.index("--lie")
        lie = sys.argv[at + 1] if at + 1 < len(sys.argv) else ""
        del sys.argv[at:at + 2]
    if lie != "honest" and lie not in {**LIES, **RACE_LIES, **ODDITIES}:
        print("liar.py: there is no lie '%s'; there are: %s" % (lie, " ".join([*LIES, *RACE_LIES, *ODDITIES])),
              file=sys.stderr)
        sys.exit(2)
    plain = example.command_line

    def with_lie():
        options = plain()
        options.lie = lie
        return options

    example.command_line = with_lie
    example.Server = Liar
    example.main()


if __name__ == "__main__":
    main()
