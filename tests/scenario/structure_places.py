#!/usr/bin/env python3
# structure_places.py: nothing in the tree names a machine's path, a package host or a tool of the workplace.
"""Looks for machine paths, hosts of package registries and workplace tools in every file of the project."""

import functools
import json
import re
import subprocess
from pathlib import Path

import structure_common as tree

# The letters in brackets keep this file itself from matching.
MACHINE_PATH = re.compile(r"(?:^|[^A-Za-z0-9_.$}/])(/(?:wor[k]|far[m]|roo[t]|hom[e]/\w+)(?:/|\b))")
WORKPLACE = re.compile(r"(?<!\w)\.librar[y]\b|\bfar[m]-\w+|/tmp/brie[f]")
URL = re.compile(r"https?://([A-Za-z0-9.-]+)")
# Registries by the way such hosts are named, on top of those that this machine is set up to use.
REGISTRY_HOST = re.compile(r"(?:^|\.)(?:deb|ftp\d*|archive|snapshot|mirrors?|packages?|registry|"
                           r"pyp[i]|nuge[t]|npmj[s]|crate[s])\.")


@functools.cache
def own_hosts():
    """Hosts that this machine's package clients are set up with, asked at run time and written nowhere."""
    texts = []
    commands = [["apt-get", "indextargets", "--no-release-info", "--format", "$(REPO_URI)"],
                ["npm", "config", "get", "registry"]]
    for command in commands:
        try:
            texts.append(subprocess.run(command, capture_output=True, text=True, check=False,
                                        timeout=20).stdout)
        except (OSError, subprocess.TimeoutExpired):
            pass
    for name in (".nuget/NuGet/NuGet.Config", ".config/NuGet/NuGet.Config", ".config/pip/pip.conf"):
        path = Path.home() / name
        if path.is_file():
            texts.append(tree.read(path))
    found = {host.lower() for text in texts for host in URL.findall(text)}
    return frozenset(found) - {"localhost", "127.0.0.1"}


def schema_ids(path):
    """A JSON schema's "$schema" is a name that looks like an address: nobody fetches it."""
    if path.suffix != ".json":
        return ""
    try:
        content = json.loads(tree.read(path))
    except ValueError:
        return ""
    return content.get("$schema", "") if isinstance(content, dict) else ""


def check(root, hosts=None):
    hosts = own_hosts() if hosts is None else hosts
    faults = []
    for path in tree.project_files(root):
        name = path.relative_to(root)
        identity = schema_ids(path)
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            for match in MACHINE_PATH.finditer(line):
                faults.append(f"{name}:{number}: names a machine's path: {match[1]}")
            for match in WORKPLACE.finditer(line):
                faults.append(f"{name}:{number}: names a tool of the workplace: {match[0]}")
            for host in URL.findall(line):
                if (host.lower() in hosts or REGISTRY_HOST.search(host)) and host not in identity:
                    faults.append(f"{name}:{number}: names a package host: {host}")
            for host in hosts:
                if host in line.lower() and f"//{host}" not in line.lower():
                    faults.append(f"{name}:{number}: names a package host: {host}")
    return faults


def planted(text):
    return lambda root: tree.append(root, "docs/ARCHITECTURE.md", f"\n{text}\n")


PLANTS = [
    ("a machine's path", planted("see /wor" + "k/main/docs"), "names a machine's path"),
    ("a path at the start of a line", planted("/roo" + "t/.profile"), "names a machine's path"),
    ("a home folder", planted("in '/hom" + "e/somebody/x'"), "names a machine's path"),
    ("a registry", planted("from https://regist" + "ry.example.org/x"), "names a package host"),
    ("a mirror", planted("from http://ftp2" + ".example.org/debian"), "names a package host"),
    ("the machine's own mirror without a scheme",
     lambda root: planted(f"from {sorted(own_hosts() or {'http://' + 'deb.example.org'})[0]}")(root),
     "names a package host"),
    ("a tool of the workplace", planted("with .librar" + "y/x"), "names a tool of the workplace"),
]

if __name__ == "__main__":
    tree.main(check, PLANTS, folders=["docs"])
