# null-sender.awk: from trials.csv of `bench load`: what part of a batch's cost is the kernel's, by the null sender of
# the same rows, and what is the generator's own. Medians over rows; intervals by the sign test, 95 %.

# How many values an interval leaves out at each end: the most for which both ends together are missed at most 5 %.
function left_out(n,   i, ways, sum, all) {
    all = 2 ^ n; ways = 1; sum = 0
    for (i = 0; i < n / 2; i++) {
        sum += ways
        if (2 * sum / all > 0.05) return i
        ways = ways * (n - i) / (i + 1)
    }
    return 0
}
function sort_values(value, n,   i, j, held) {
    for (i = 2; i <= n; i++) {
        held = value[i]
        for (j = i - 1; j >= 1 && value[j] > held; j--) value[j + 1] = value[j]
        value[j + 1] = held
    }
}
# Sets median, low and high of `value`; low and high are "?" where so few rows have no interval.
function estimate(value, n,   out) {
    sort_values(value, n)
    median = n % 2 ? value[(n + 1) / 2] : (value[n / 2] + value[n / 2 + 1]) / 2
    out = left_out(n)
    low = out ? value[out] : "?"; high = out ? value[n - out + 1] : "?"
}
function interval(digits) { return low == "?" ? "[too few rows]" : sprintf("[%.*f to %.*f]", digits, low, digits, high) }
function cost(kind, connections, row) { return ns[kind, connections, row] }
# Fills `value` over all rows that have what is asked for: own, over, growth, own-growth.
function collect(what, few, many,   i, n, row) {
    n = 0
    for (i = 1; i <= rows; i++) {
        row = seen[i]
        if (!cost("gen", many, row) || !cost("null", many, row)) continue
        if (few && (!cost("gen", few, row) || !cost("null", few, row))) continue
        if (what == "gen" || what == "null") value[++n] = cost(what, many, row) / 1000
        if (what == "own") value[++n] = (cost("gen", many, row) - cost("null", many, row)) / 1000
        if (what == "over") value[++n] = cost("gen", many, row) / cost("null", many, row)
        if (what == "gen-growth") value[++n] = cost("gen", many, row) / cost("gen", few, row)
        if (what == "null-growth") value[++n] = cost("null", many, row) / cost("null", few, row)
        if (what == "own-growth") value[++n] = (cost("gen", many, row) - cost("null", many, row) - cost("gen", few, row) + cost("null", few, row)) / 1000
        if (what == "over-growth") value[++n] = cost("gen", many, row) / cost("gen", few, row) / (cost("null", many, row) / cost("null", few, row))
    }
    if (n) estimate(value, n)
    return n
}
{ gsub(/\r/, ""); gsub(/"/, "") }
FNR == 1 { columns = split($0, heading, ","); for (i = 1; i <= columns; i++) at[heading[i]] = i; next }
{
    split($0, field, ",")
    entry = field[at["entry"]]; row = field[at["row"]]; value_ns = field[at["generator_ns_per_batch"]] + 0
    if (field[at["cell"]] != "cost by connections" || field[at["outcome"]] != "counted" || value_ns <= 0) next
    kind = entry ~ /^null sender: / ? "null" : "gen"
    sub(/^null sender: /, "", entry); sub(/ connections?$/, "", entry)
    if (!(row in known)) { known[row] = 1; seen[++rows] = row }
    if (kind == "null" && !(entry in listed)) { listed[entry] = 1; list[++lists] = entry }
    ns[kind, entry, row] = value_ns
}
END {
    for (i = 1; i <= lists; i++) if (list[i] + 0 > most + 0) most = list[i]
    for (i = 2; i <= lists; i++) for (j = i; j > 1 && list[j] + 0 < list[j - 1] + 0; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
    if (lists < 2 || !collect("over", "", most)) exit
    printf "\nWhat of a batch's cost is the kernel's: the generator beside the null sender, which does nothing but send(), recv()\n"
    printf "and epoll_wait() with the same bytes on as many connections, in the same rows. Microseconds a batch.\n"
    printf "  %-12s %10s %12s   %-28s %s\n", "connections", "generator", "null sender", "the generator's own", "generator / null sender"
    for (i = 1; i <= lists; i++) {
        if (!collect("gen", "", list[i])) continue
        gen = median; collect("null", "", list[i]); null = median
        collect("own", "", list[i]); own = sprintf("%5.2f %s", median, interval(2))
        n = collect("over", "", list[i])
        printf "  %-12s %10.2f %12.2f   %-28s %.3f %s, %d rows\n", list[i], gen, null, own, median, interval(3), n
    }
    for (i = 1; i < lists; i++) {
        if (!collect("gen-growth", list[i], most)) continue
        printf "From %s to %s connections:\n", list[i], most
        printf "  the generator        %.3f times %s\n", median, interval(3)
        collect("null-growth", list[i], most)
        printf "  the null sender      %.3f times %s%s\n", median, interval(3), (low != "?" && low > 1.25 ? ": more than 1.25 by the kernel alone" : "")
        collect("over-growth", list[i], most)
        printf "  one over the other   %.3f %s\n", median, interval(3)
        collect("own-growth", list[i], most)
        printf "  the generator's own  %+.2f us a batch %s\n", median, interval(2)
    }
}
