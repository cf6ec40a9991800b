"""frames_file.py: writes small datasets (batches, answers, manifest) out of cases with known answers."""

import hashlib
import json
import os

import wire_client


def write(prefix: str, cases: list) -> None:
    """NAME.batches, NAME.answers and NAME.json; `cases` have payload, status, records and digest."""
    batches = b"".join(wire_client.frame(wire_client.BATCH, index, case.payload)
                       for index, case in enumerate(cases))
    answers = b"".join(wire_client.ACK_PAYLOAD.pack(case.status, case.records, case.digest, 0, 0, 0)
                       for case in cases)
    files = {}
    for name, data in (("batches", batches), ("answers", answers)):
        with open("%s.%s" % (prefix, name), "wb") as file:
            file.write(data)
        files[name] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    with open(prefix + ".json", "w", encoding="utf-8") as file:
        json.dump({"name": os.path.basename(prefix), "files": files}, file)


def patch(path: str, offset: int, data: bytes) -> None:
    """Writes `data` over what stands at `offset` (counted from the end where negative)."""
    with open(path, "r+b") as file:
        file.seek(offset, os.SEEK_SET if offset >= 0 else os.SEEK_END)
        file.write(data)
