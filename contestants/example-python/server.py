#!/usr/bin/env python3
"""server.py: the job `ingest` with nothing but Python's standard library, to be read as an example.

Here are the wire and the command line; the job itself is in ingest.py. Section numbers are those of
docs/PROTOCOL.md; contestants/README.md explains both files.
"""
import argparse, asyncio, gc, json, math, os, platform, resource, signal, struct, sys, time
from ingest import Ingest, hex16

FRAME = struct.Struct("<IBBHQ")  # section 5: payload bytes, type, version, reserved, sequence
ACK = struct.Struct("<IIQIIQ")   # status, records, digest, and where a fault is: not told here
HELLO, BATCH, STATS, KEPT = 0x01, 0x02, 0x03, 0x04
WELCOME, ACKNOWLEDGE, STATS_REPLY, KEPT_REPLY, ERROR = 0x81, 0x82, 0x83, 0x84, 0xFF
UNSENT_MAX = 1 << 20


# --- serve (section 5) ---------------------------------------------------------------------------

class Broken(Exception):
    """The client gets an ERROR with this text, and its connection ends."""

class Server:
    def __init__(self, options):
        self.options, self.rings = options, set()  # the rings of the connections open now
        self.ingest = Ingest(options.mode, options.max_kept)

    def welcome(self):
        library = {"name": "json", "version": json.__version__, "path": json.__file__}
        limits = ("max_payload", "max_kept", "max_connections")
        return {"contestant": "example-python", "version": "1", "language": "Python",
                "runtime": platform.python_implementation() + " " + platform.python_version(),
                "mode": self.options.mode, "threads": self.options.threads, "pid": os.getpid(),
                "kernel": "json with its C scanner", "build_flags": "", "libraries": [library],
                "knobs": {"parsing_threads": 1,
                          **{name: getattr(self.options, name) for name in limits}}}

    def stats(self):
        counts = [hex16(generation["collections"]) for generation in gc.get_stats()]
        return {"totals": self.ingest.totals.reply(),
                "runtime": {"gc_pause_ns": None, "gc_collections": counts,
                            "allocated_bytes": None, "compiled_methods": None}}

    def kept(self):
        sums = map(sum, zip(*(ring.recompute() for ring in self.rings)))
        return dict(zip(("batches", "records", "digest"), map(hex16, sums)))

    def check(self, size, kind, version, reserved):
        """Judges a header before its payload is read."""
        if version != 1 or reserved != 0 or not HELLO <= kind <= KEPT:
            raise Broken("unknown version, reserved field or type")
        if size > (self.options.max_payload if kind == BATCH else 0):
            raise Broken("the payload is longer than this type or --max-payload allows")

    def answer(self, kind, payload, ring):
        """Type and payload of the reply to a request."""
        if kind == BATCH:
            answer = self.ingest.take(payload, ring)
            if answer is None:
                raise Broken("the kept batches are larger than --max-kept")
            return ACKNOWLEDGE, ACK.pack(*answer, 0, 0, 0)
        reply, value = {HELLO: (WELCOME, self.welcome), STATS: (STATS_REPLY, self.stats),
                        KEPT: (KEPT_REPLY, self.kept)}[kind]
        return reply, json.dumps(value()).encode()

    async def talk(self, reader, writer, ring):
        """Answers frame by frame until the client ends (IncompleteReadError) or breaks a rule."""
        sequence = 0
        try:
            if ring not in self.rings:
                raise Broken("too many connections; see --max-connections")
            while True:
                head = await reader.readexactly(FRAME.size)
                size, kind, version, reserved, sequence = FRAME.unpack(head)
                self.check(size, kind, version, reserved)
                reply, text = self.answer(kind, await reader.readexactly(size), ring)
                writer.write(FRAME.pack(len(text), reply, 1, 0, sequence) + text)
                await writer.drain()  # waits while more than UNSENT_MAX is unsent: back-pressure
        except Broken as fault:
            text = str(fault).encode()
            writer.write(FRAME.pack(len(text), ERROR, 1, 0, sequence) + text)
            writer.transport.set_write_buffer_limits(0)
            await writer.drain()  # waits until all is sent
            writer.write_eof()
            async with asyncio.timeout(1):
                while await reader.read(1 << 18):
                    pass

    async def connection(self, reader, writer):
        """asyncio calls this for every connection."""
        writer.transport.set_write_buffer_limits(UNSENT_MAX)
        ring = self.ingest.ring()
        if len(self.rings) < self.options.max_connections:
            self.rings.add(ring)
        try:
            await self.talk(reader, writer, ring)
        except (asyncio.IncompleteReadError, OSError):  # TimeoutError is an OSError
            pass
        except Exception:  # our own fault: never go on with it
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        finally:
            self.rings.discard(ring)
            ring.places.clear()
            writer.close()

    async def run(self):
        host, _, port = self.options.listen.rpartition(":")
        server = await asyncio.start_server(self.connection, host.strip("[]"), int(port),
                                            backlog=4096)
        print("listening %s:%d" % (host, server.sockets[0].getsockname()[1]), flush=True)
        await server.serve_forever()


# --- The command line (section 6) ----------------------------------------------------------------

def read_frames(path):
    """The payloads of NAME.batches."""
    with open(path, "rb") as file:
        data, at, payloads = file.read(), 0, []
    while at < len(data):
        if len(data) - at < FRAME.size:
            sys.exit("server.py: %s: a frame is cut off at byte %d" % (path, at))
        size, kind, version, _, sequence = FRAME.unpack_from(data, at)
        at += FRAME.size
        if (kind, version, sequence) != (BATCH, 1, len(payloads)) or at + size > len(data):
            sys.exit("server.py: %s: not a whole BATCH frame before byte %d" % (path, at))
        payloads.append(data[at:at + size])
        at += size
    return payloads or sys.exit("server.py: %s is empty" % path)

def parse(options):
    ingest, payloads = Ingest(options.mode, math.inf), read_frames(options.data + ".batches")
    ring = ingest.ring()
    turns = range(options.repeat or (sys.maxsize if options.step else 1))
    for _ in zip(turns, sys.stdin) if options.step else turns:
        begin = time.perf_counter_ns()
        answers = [ingest.take(payload, ring) for payload in payloads]
        ns = time.perf_counter_ns() - begin
        _, records, digests = map(sum, zip(*answers))
        print(json.dumps({"records": records, "bytes": sum(map(len, payloads)), "ns": ns,
                          "digest": hex16(digests)}), flush=True)

def count(text):
    if not (text.isascii() and text.isdigit() and len(text) <= 15 and int(text) > 0):
        raise argparse.ArgumentTypeError("'%s' is not a number above 0" % text)
    return int(text)

def address(text):
    host, colon, port = text.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and int(port) < 65536):
        raise argparse.ArgumentTypeError("'%s' is not HOST:PORT" % text)
    return text

class CommandLine(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, "server.py: %s; --help shows how\n" % message)

def command_line():
    top = CommandLine(prog="server.py", allow_abbrev=False, description=__doc__.split(",")[0])
    commands = top.add_subparsers(dest="command", required=True, metavar="serve|parse")
    options = {"serve": (("listen", address, "127.0.0.1:0"), ("threads", count, 1),
                         ("max-payload", count, 16 << 20), ("max-kept", count, 256 << 20),
                         ("max-connections", count, 4096)),
               "parse": (("data", str, None), ("repeat", count, 0))}
    for name, rows in options.items():
        command = commands.add_parser(name, allow_abbrev=False)
        command.add_argument("--mode", choices=("drain", "totals", "keep", "fresh"), default="keep")
        for option, kind, default in rows:
            command.add_argument("--" + option, type=kind, default=default,
                                 required=default is None, help="default: %s" % default)
    command.add_argument("--step", action="store_true", help="one repetition for a line of stdin")
    return top.parse_args()

def main():
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    if json.scanner.c_make_scanner is None or json.decoder.c_scanstring is None:
        sys.exit("server.py: this Python lacks json's C scanner; the other one is not strict")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    options = command_line()
    try:
        if options.command == "serve":
            asyncio.run(Server(options).run())
        else:
            parse(options)
    except OSError as fault:
        sys.exit("server.py: %s: %s" % (getattr(options, "listen", None) or options.data, fault))

if __name__ == "__main__":
    main()
