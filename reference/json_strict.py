"""json_strict.py: a strict reader of one JSON text (RFC 8259, UTF-8) over bytes, without recursion.

Every value becomes a Node with its kind and the byte where it begins. Strings are unescaped to
UTF-8; numbers stay tokens; objects keep every member in order, so that the caller sees duplicates.
The first fault ends the reading with a JsonFault.
"""

import re
from typing import NamedTuple

STRING, NUMBER, LITERAL, ARRAY, OBJECT = "string", "number", "literal", "array", "object"


class Node(NamedTuple):
    """kind; what it holds; byte offset of its first byte.

    content: bytes of a string (unescaped), of a number or literal (as written); a list of Nodes of
    an array; a list of (key Node, value Node) of an object.
    """

    kind: str
    content: object
    offset: int


class JsonFault(ValueError):
    """What is wrong with the text, and where."""

    def __init__(self, text: str, offset: int):
        super().__init__(text)
        self.text = text
        self.offset = offset


BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_SPACE = re.compile(rb"[ \t\n\r]*")
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERAL = re.compile(rb"true|false|null")
_PLAIN = re.compile(rb"[\x20\x21\x23-\x5b\x5d-\x7f]+")
_HEX = re.compile(rb"[0-9A-Fa-f]{4}")
# The well-formed sequences of two to four bytes, from the Unicode Standard's table 3-7.
_MULTI_BYTE = re.compile(
    rb"(?:[\xc2-\xdf][\x80-\xbf]"
    rb"|\xe0[\xa0-\xbf][\x80-\xbf]"
    rb"|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}"
    rb"|[\xf1-\xf3][\x80-\xbf]{3}"
    rb"|\xf4[\x80-\x8f][\x80-\xbf]{2}){1,500}"
)
_SHORT_ESCAPES = {
    ord('"'): b'"',
    ord("\\"): b"\\",
    ord("/"): b"/",
    ord("b"): b"\b",
    ord("f"): b"\f",
    ord("n"): b"\n",
    ord("r"): b"\r",
    ord("t"): b"\t",
}


def _shown(data: bytes, offset: int) -> str:
    """The byte at `offset`, for people."""
    if offset >= len(data):
        return "the end of the text"
    byte = data[offset]
    return "'%c'" % byte if 0x20 <= byte < 0x7F else "byte 0x%02x" % byte


def _utf8(code_point: int) -> bytes:
    return chr(code_point).encode("utf-8")


class _Reader:
    """One text and the place reached in it."""

    def __init__(self, data: bytes, depth_max: int, root_items_max: int):
        self.data = data
        self.offset = 0
        self.depth_max = depth_max
        self.root_items_max = root_items_max
        self.open = []  # containers that are not closed yet, outermost first
        self.keys = []  # for each open container the key that waits for its value, or None

    def skip_space(self) -> None:
        self.offset = _SPACE.match(self.data, self.offset).end()

    def byte(self) -> int:
        """The byte here, -1 at the end."""
        return self.data[self.offset] if self.offset < len(self.data) else -1

    def unexpected(self, wanted: str) -> JsonFault:
        return JsonFault("%s expected, found %s" % (wanted, _shown(self.data, self.offset)),
                         self.offset)

    def _hex(self, begin: int) -> int:
        match = _HEX.match(self.data, begin)
        if match is None:
            raise JsonFault("\\u needs four hexadecimal digits", begin)
        return int(match.group(), 16)

    def _escape(self) -> bytes:
        """Reads the escape whose backslash is here."""
        begin = self.offset
        self.offset += 2
        letter = self.data[begin + 1] if begin + 1 < len(self.data) else -1
        if letter != ord("u"):
            text = _SHORT_ESCAPES.get(letter)
            if text is None:
                raise JsonFault("%s can't follow a backslash" % _shown(self.data, begin + 1), begin)
            return text
        unit = self._hex(begin + 2)
        self.offset += 4
        if 0xDC00 <= unit <= 0xDFFF:
            raise JsonFault("a low surrogate without a high one before it", begin)
        if not 0xD800 <= unit <= 0xDBFF:
            return _utf8(unit)
        if self.data[self.offset : self.offset + 2] != b"\\u":
            raise JsonFault("a high surrogate without a low one behind it", begin)
        low = self._hex(self.offset + 2)
        if not 0xDC00 <= low <= 0xDFFF:
            raise JsonFault("a high surrogate without a low one behind it", begin)
        self.offset += 6
        return _utf8(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))

    def string(self) -> Node:
        """Reads the string whose opening quote is here."""
        begin = self.offset
        self.offset += 1
        pieces = []
        while True:
            byte = self.byte()
            if byte == ord('"'):
                self.offset += 1
                return Node(STRING, b"".join(pieces), begin)
            if byte == ord("\\"):
                pieces.append(self._escape())
                continue
            if byte < 0:
                raise JsonFault("the string that begins at byte %d has no end" % begin, self.offset)
            if byte < 0x20:
                raise JsonFault("byte 0x%02x must be escaped in a string" % byte, self.offset)
            match = (_PLAIN if byte < 0x80 else _MULTI_BYTE).match(self.data, self.offset)
            if match is None:
                raise JsonFault("not valid UTF-8: byte 0x%02x" % byte, self.offset)
            pieces.append(match.group())
            self.offset = match.end()

    def scalar(self) -> Node:
        """Reads a string, a number or a literal."""
        if self.byte() == ord('"'):
            return self.string()
        for kind, pattern in ((NUMBER, _NUMBER), (LITERAL, _LITERAL)):
            match = pattern.match(self.data, self.offset)
            if match is not None:
                self.offset = match.end()
                return Node(kind, match.group(), match.start())
        raise self.unexpected("a value")

    def key(self) -> None:
        """Reads a key and its colon; the key then waits for the value."""
        if self.byte() != ord('"'):
            raise self.unexpected("a key")
        self.keys[-1] = self.string()
        self.skip_space()
        if self.byte() != ord(":"):
            raise self.unexpected("a colon")
        self.offset += 1
        self.skip_space()

    def value(self) -> Node | None:
        """Reads a scalar or an empty container whole; None when a container was only opened."""
        byte = self.byte()
        if byte not in (ord("["), ord("{")):
            return self.scalar()
        kind, end = (ARRAY, ord("]")) if byte == ord("[") else (OBJECT, ord("}"))
        if len(self.open) == self.depth_max:
            raise JsonFault("nests deeper than %d levels" % self.depth_max, self.offset)
        node = Node(kind, [], self.offset)
        self.offset += 1
        self.skip_space()
        if self.byte() == end:
            self.offset += 1
            return node
        self.open.append(node)
        self.keys.append(None)
        if kind == OBJECT:
            self.key()
        return None

    def add(self, node: Node) -> None:
        """Puts a whole value into the innermost open container."""
        container = self.open[-1]
        if container.kind == OBJECT:
            container.content.append((self.keys[-1], node))
            return
        if len(self.open) == 1 and len(container.content) == self.root_items_max:
            raise JsonFault("more than %d items" % self.root_items_max, node.offset)
        container.content.append(node)

    def after_value(self, node: Node) -> Node | None:
        """Goes on behind a whole value: the root when it is closed, None when a value follows."""
        while self.open:
            self.add(node)
            self.skip_space()
            container = self.open[-1]
            end = ord("]") if container.kind == ARRAY else ord("}")
            byte = self.byte()
            if byte == ord(","):
                self.offset += 1
                self.skip_space()
                if container.kind == OBJECT:
                    self.key()
                return None
            if byte != end:
                raise self.unexpected("a comma or '%c'" % end)
            self.offset += 1
            node = self.open.pop()
            self.keys.pop()
        return node

    def document(self) -> Node:
        if self.data.startswith(BYTE_ORDER_MARK):
            raise JsonFault("begins with a byte order mark", 0)
        self.skip_space()
        root = None
        while root is None:
            node = self.value()
            if node is not None:
                root = self.after_value(node)
        self.skip_space()
        if self.offset != len(self.data):
            raise self.unexpected("the end of the text")
        return root


def read(data: bytes, depth_max: int, root_items_max: int) -> Node:
    """The root of the text. JsonFault when it is not strict JSON, nests deeper than `depth_max`
    containers, or its outermost array holds more than `root_items_max` items."""
    return _Reader(data, depth_max, root_items_max).document()
