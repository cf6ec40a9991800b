"""dataset.py: a dataset's files as the contract describes them: batches, answers, manifest."""

import hashlib
import json
import mmap
import os
import struct
from typing import NamedTuple

FRAME_HEAD = struct.Struct("<IBBHQ")
ACK = struct.Struct("<IIQIIQ")
TYPE_BATCH = 0x02
WIRE_VERSION = 1


class DatasetFault(Exception):
    """The files can't be used; the text names the file, the place and what to do."""


class Expected(NamedTuple):
    """What NAME.answers says of one batch."""

    status: int
    records: int
    digest: int


class Place(NamedTuple):
    """Where a payload stands in NAME.batches."""

    offset: int
    size: int


def _mapped(path: str) -> mmap.mmap:
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise DatasetFault("%s is empty; make the dataset again" % path)
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise DatasetFault("%s: %s" % (path, error.strerror)) from None


def _index(data: mmap.mmap, path: str) -> list:
    """The place of every payload."""
    places = []
    offset = 0
    while offset < len(data):
        where = "%s: frame %d at byte %d" % (path, len(places), offset)
        if len(data) - offset < FRAME_HEAD.size:
            raise DatasetFault("%s: the header is cut off" % where)
        size, kind, version, reserved, sequence = FRAME_HEAD.unpack_from(data, offset)
        if (kind, version, reserved) != (TYPE_BATCH, WIRE_VERSION, 0):
            raise DatasetFault("%s: not the header of a BATCH of version 1" % where)
        if sequence != len(places):
            raise DatasetFault("%s: has sequence %d" % (where, sequence))
        offset += FRAME_HEAD.size
        if len(data) - offset < size:
            raise DatasetFault("%s: the payload of %d bytes is cut off" % (where, size))
        places.append(Place(offset, size))
        offset += size
    return places


def _check_file(path: str, entry: dict, manifest: str) -> bool:
    """Compares size and SHA-256 of a file with its entry; False when that names no SHA-256."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if entry.get("bytes", size) != size:
            raise DatasetFault("%s has %d bytes, %s says %s; make the dataset again"
                               % (path, size, manifest, entry["bytes"]))
        if "sha256" not in entry:
            return False
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != entry["sha256"].lower():
        raise DatasetFault("%s has another SHA-256 than %s says; make the dataset again"
                           % (path, manifest))
    return True


def _check_manifest(prefix: str, counts: dict) -> bool:
    """Compares the files and what is counted in them with the manifest; False when it names no
    SHA-256. What it does not tell is not compared."""
    path = prefix + ".json"
    try:
        with open(path, "rb") as file:
            manifest = json.load(file)
        for name, counted in counts.items():
            if manifest.get(name, counted) != counted:
                raise DatasetFault("%s says %s %s, the files have %d; make the dataset again"
                                   % (path, name, manifest[name], counted))
        hashed = [_check_file(prefix + "." + name.rpartition(".")[2], entry, path)
                  for name, entry in manifest.get("files", {}).items()]
        return any(hashed)
    except OSError as error:
        raise DatasetFault("%s: %s" % (error.filename, error.strerror)) from None
    except (ValueError, AttributeError, TypeError):
        raise DatasetFault("%s is not a dataset's manifest" % path) from None


class Dataset:
    """NAME.batches and NAME.answers of the common path NAME, mapped and indexed."""

    def __init__(self, prefix: str):
        """DatasetFault when a file is missing, foreign, cut off, or the files don't agree."""
        self.prefix = prefix
        self.batches_path = prefix + ".batches"
        self._data = _mapped(self.batches_path)
        self._places = _index(self._data, self.batches_path)
        answers_path = prefix + ".answers"
        self._answers = _mapped(answers_path)
        if len(self._answers) != ACK.size * len(self._places):
            raise DatasetFault("%s has %d bytes, must have %d for the %d batches"
                               % (answers_path, len(self._answers), ACK.size * len(self._places),
                                  len(self._places)))
        self._check_answers(answers_path)

    def _check_answers(self, path: str) -> None:
        for index in range(len(self)):
            status, records, digest, *error = ACK.unpack_from(self._answers, index * ACK.size)
            if any(error) or status > 1 or (status == 1 and (records or digest)):
                raise DatasetFault("%s: answer %d at byte %d is none" % (path, index,
                                                                        index * ACK.size))

    def check_manifest(self) -> bool:
        """Compares the files, and what is counted in them, with the manifest; False when it names no
        SHA-256. DatasetFault when they don't agree."""
        answers = [self.expected(index) for index in range(len(self))]
        rejected = sum(answer.status for answer in answers)
        return _check_manifest(self.prefix, {
            "batches": len(answers),
            "batches_accepted": len(answers) - rejected,
            "batches_rejected": rejected,
            "records_accepted": sum(answer.records for answer in answers),
        })

    def __len__(self) -> int:
        return len(self._places)

    def payload(self, index: int) -> bytes:
        offset, size = self._places[index]
        return self._data[offset : offset + size]

    def offset(self, index: int) -> int:
        """Of the payload in NAME.batches."""
        return self._places[index].offset

    def expected(self, index: int) -> Expected:
        return Expected(*ACK.unpack_from(self._answers, index * ACK.size)[:3])
