"""rare_batches.py: batches that lead where few others do: seeds for the fuzz target, so that it need not be lucky.

Each is there for lines that the handed cases leave out; coverage.py says whether it still is.
"""
MEMBERS = {"id": "5942859575", "timestamp": "1764054335349840", "source": '"sensor-1186"', "kind": '"event"',
           "value": "-268.6222", "flags": '["urgent"]', "message": '"india delta alpha bravo"'}
AFTER = 6  # the guess path wants more text behind a record


def record(colon=":", comma=",", **changed):
    return "{" + comma.join(f'"{key}"{colon}{value}' for key, value in (MEMBERS | changed).items()) + "}"


def followed(first):
    """A batch whose second record is `first`."""
    return "[" + ",".join([record(), first] + [record()] * AFTER) + "]"


def styles():
    """Plain records in each spacing, in more than a group, and with a change of spacing between two."""
    for colon in (":", ": "):
        for comma in (",", ", "):
            batch = [record(colon, comma)] * 40
            yield "[" + comma.join(batch) + "]"
            yield "[" + comma.join(batch[:3]) + "," + ", ".join(batch[:5]) + "]"


def guesses():
    """What looks plain and is not."""
    for changed in ({"kind": '"lag"'}, {"source": '""'}, {"source": '"' + 65 * "s" + '"'}, {"id": "01"},
                    {"id": "9223372036854775808"}, {"timestamp": "253402300799999999"}, {"value": "9007199254740993"},
                    {"value": "900719925474099.3"}, {"flags": '["retry","retry"]'}, {"flags": '["retry"x"retry"]'},
                    {"flags": '[xretry"]', "message": '"a"b"'}, {"message": '"a"b"'}, {"message": '""'}):
        yield followed(record(**changed))


LONG_TEXT = "".join(chr(ord("a") + i % 25) for i in range(200))
ORDERS = ([6, 5, 4, 3, 2, 1, 0], [3, 0, 6, 1, 5, 2, 4], [5, 6, 0, 4, 1, 3, 2], [1, 2, 3, 4, 6, 0, 5])


def shuffled(order, before="", colon=":", end="", **changed):
    """A record with its keys in another order; `before` stands before each of them, `end` before the brace."""
    values = MEMBERS | changed
    members = [f'{before}"{key}"{colon}{values[key]}' for key in (list(MEMBERS)[i] for i in order)]
    return "{" + ",".join(members) + end + "}"


def among_shuffled(first, between=",", **spacing):
    """A batch in which `first` stands among records whose keys are shuffled."""
    others = [shuffled(order, **spacing) for order in ORDERS]
    return "[" + between.join([others[0], first] + others * 2) + "]"


def orders():
    """Keys in other orders, in each spacing that the second guess path learns, and what it must not take."""
    for before, end, between in (("", "", ","), (" ", "", ", "), ("\n    ", "\n", "\n,\n"), (" " * 15, " ", ","),
                                 (" " * 16, "", ","), ("\t\r\n", "\r", " , "), ("\v", "", ","), ("", "\x01", ","),
                                 ("x", "", ","), (",", "", ","), ("", "", " "), ("", "", ";")):
        for colon in (":", ": "):
            spacing = {"before": before, "colon": colon, "end": end}
            yield among_shuffled(shuffled(ORDERS[1], **spacing), between, **spacing)
            yield among_shuffled(shuffled(ORDERS[1]), between, **spacing)
            yield among_shuffled(record(colon, "," + before), between, **spacing)
    for order in ORDERS:
        for key, value in (("id", "5 "), ("id", ""), ("source", '"a"b"'), ("source", '"ab\x01'), ("source", '"ab\\'),
                           ("source", '"' + 64 * "s" + '"'), ("source", '"' + 65 * "s" + '"'), ("source", '""'),
                           ("source", "\"caf\u00e9\""), ("kind", '"event"x'), ("kind", '"events"'), ("kind", "event"),
                           ("flags", '["retry"x'), ("flags", '["retry";"urgent"]'), ("flags", '["retry" "urgent"]'),
                           ("flags", '["retry","retry"]'), ("flags", '["retry",]'), ("flags", "[,]"), ("flags", '"retry"]'),
                           ("flags", '["retry", "urgent","internal"]'), ("message", '""'), ("message", '"}"'),
                           ("message", '"a":"b"'), ("message", '":"'), ("message", '"' + 64 * "m" + '"'),
                           ("message", '"' + 65 * "m" + '"'), ("message", '"' + LONG_TEXT + '"'), ("message", '"\x7f"'),
                           ("message", '"' + 63 * "m" + '\\""'), ("value", "1.5x"), ("value", "12345678901234567890")):
            yield among_shuffled(shuffled(order, **{key: value}))
        text = shuffled(order)
        for changed in (text.replace("{", "{,"), text.replace(",", ";", 1), text.replace('"kind"', '"kinds"'),
                        text.replace('"kind"', '"id"'), text.replace('"kind"', '"bind"'), text.replace('"', "x", 1),
                        text[:-1] + ',"id":1}', text[:-1] + ",}", text[:-1] + "]", text.replace(":", " :", 1),
                        "{" + '"":' * 40 + text[1:]):
            yield among_shuffled(changed)


def units():
    """Runs of units that fill groups of eight and sixteen, end in half a pair, overlap, or are too many."""
    for count in (7, 8, 15, 16, 17, 32):
        for last in ("\\ud83d", "\\ud83d\\ude00", "\\ude00", "\\u00G0", "\\ud83dx\\ude00"):
            yield followed(record(message='"' + "\\u00e9" * (count - 1) + last + '"'))
    yield followed(record(message='"\\u00\\u00e9"'))
    yield followed(record(message='"' + "\\u" * 9000 + '"'))
    yield followed(record(message='"' + "\\n" * 300 + "\\x" + '"'))
    yield followed(record(message='"' + "\\u20AC" * 1300 + '"', flags='["\\u0075rgent","urgent"]'))


def numbers():
    """Values that need the long way, each with its own reason."""
    tie = "562949953421312.0625"
    for value in (tie + "0" * 800, tie + "0" * 800 + "1", tie + "0" * 30 + "1", "1e-341", "1e-400", "0e99999999",
                  "2.47032822920623272088284396434110686182e-324", "123456789012345678901234567890e-20",
                  "1.5e+3", "e5", "1e", "1e+", "0.e1", "1." + "3" * 40, "-0.0e-0"):
        yield followed(record(value=value))
        yield followed(record(value=value, message='"\\n"'))  # no guess reads this one


def cuts():
    """Ends of the text at every kind of place, and what else is told of it."""
    text = record(message='"\\ud83d\\ude00 \u20ac"')
    data = f"[{text},{text}]".encode()
    yield from (data[:at] for at in range(len(data)))
    yield b"[\xff"
    yield b'[{"id":17,\xff'
    yield '[{"id\\"x":17}]'
    yield followed(record(flags='["urgent" "retry"]'))
    yield "[" + record() + " " * 5000 + "]"


def rare_batches():
    for make in (styles, guesses, orders, units, numbers, cuts):
        for batch in make():
            yield batch if isinstance(batch, bytes) else batch.encode()
