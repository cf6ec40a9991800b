# dotnet.sh: what set-up does for C#: finds the SDK, restores packages by their lock files. Sourced by setup.sh.
# shellcheck shell=bash

# The .NET SDK's least major version.
readonly dotnet_sdk_least=10

# Major version of the newest .NET SDK, or nothing.
dotnet_sdk() {
    command -v dotnet >/dev/null || return 0
    dotnet --list-sdks 2>/dev/null | sed -n 's/^\([0-9]*\)\..*/\1/p' | sort -n | tail -n 1
}

# The packages of every tracked .NET project, by its lock file. Without an SDK, or without the packages, the
# contestants that need them are not installed, and nothing else suffers.
# shellcheck disable=SC2154  # lab_root and lab_deps are common.sh's
restore_dotnet() {
    local sdk log=$lab_deps/dotnet.log projects project key
    mapfile -t projects < <(cd "$lab_root" && git ls-files '*.csproj' 2>/dev/null)
    ((${#projects[@]} > 0)) || return 0
    sdk=$(dotnet_sdk)
    if [[ -z $sdk ]] || ((sdk < dotnet_sdk_least)); then
        say "C# contestants: not installed: no .NET SDK $dotnet_sdk_least or later is in PATH (found: ${sdk:-none});" \
            "all else works."
        return 0
    fi
    key=$(cd "$lab_root" && git ls-files -z '*.csproj' '*packages.lock.json' 'Directory.*.props' |
        xargs -0 sha256sum | sha256sum)
    [[ ! -f $lab_deps/dotnet.ok || $(<"$lab_deps/dotnet.ok") != "$key" ]] || return 0
    mkdir -p "$lab_deps"
    : >"$log"
    for project in "${projects[@]}"; do
        if ! (cd "$lab_root" && DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 dotnet restore "$project" --locked-mode \
            -nodeReuse:false -v quiet) >>"$log" 2>&1 </dev/null; then
            tail -n 5 "$log" >&2
            say "C# contestants: not installed: the packages of $project did not come (the log is" \
                ".deps/dotnet.log); all else works."
            return 0
        fi
    done
    printf '%s\n' "$key" >"$lab_deps/dotnet.ok"
    say "C# contestants: the packages of ${#projects[@]} projects are here, by their lock files (.NET SDK $sdk)."
}
