#!/usr/bin/env bash
# browser.sh: brings what the browser's test of report.html needs: a browser from the distribution, the driver by lock file.
#
# Nobody else needs it: ./lab setup leaves it out, and without it the test report_browser is skipped. The driver goes
# to .deps/browser. Does nothing when all is there. Exit code 1: something could not be brought, and what.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
home=$root/.deps/browser

fail() {
    printf 'browser.sh: %s; the test report_browser is skipped\n' "$*" >&2
    exit 1
}

bring_packages() {
    local name
    for name in chromium-headless-shell chromium google-chrome; do
        ! command -v "$name" >/dev/null || return 0
    done
    if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
        fail "no browser, and this is not root on Debian"
    fi
    mkdir -p "$home"
    if ! { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 install -y \
        --no-install-recommends chromium-headless-shell fonts-liberation; } >"$home/packages.log" 2>&1 </dev/null; then
        tail -n 5 "$home/packages.log" >&2
        fail "the distribution's chromium-headless-shell could not be installed (.deps/browser/packages.log)"
    fi
}

bring_driver() {
    local lock=$root/tests/browser/package-lock.json
    ! cmp -s "$lock" "$home/done-lock.json" || return 0
    command -v npm >/dev/null || fail "no npm in PATH"
    mkdir -p "$home"
    cp "$root/tests/browser/package.json" "$lock" "$home/"
    if ! (cd "$home" && exec npm ci --ignore-scripts --no-audit --no-fund) >"$home/npm.log" 2>&1 </dev/null; then
        tail -n 5 "$home/npm.log" >&2
        fail "the driver did not come (.deps/browser/npm.log)"
    fi
    cp "$lock" "$home/done-lock.json"
}

major=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\).*/\1/p')
((${major:-0} >= 20)) || fail "no node 20 or later in PATH (found: ${major:-none})"
bring_packages
bring_driver
