# parts.awk: from a report of `bench parse`: where the time goes, and the floor; from trials.csv the
# machine's own pace. Give report.md, then trials.csv.
function clean(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); sub(/^parse-parts@/, "", text); return text }
function share(ratio) { return ratio > 0 ? sprintf("%.0f", 100 * (1 - 1 / ratio)) : "?" }
/^## / { title = "" }
/^### / { title = substr($0, 5); printed = 0; next }
title ~ /, what is left out$/ && /^\| parse-parts@without-/ && / : / {
    split($0, field, "|"); split(field[2], name, " : "); split(field[4], bound, " to ")
    if (!printed++) printf "\nWhere the time goes, %s (share of the time that goes away without it, below 0\nwhere it saves time; answers of these are wrong on purpose and not checked):\n",
        substr(title, 1, index(title, ",") - 1)
    part = clean(name[1]); sub(/^without-/, "", part)
    if (field[3] + 0 == 0) { printf "  %-8s unavailable\n", part; next }
    printf "  %-8s %3s %%  (%s to %s %%, %s pairs)\n", part, share(field[3]), share(bound[1]), share(bound[2]), clean(field[6])
}
title ~ /, the floor$/ && /^\| parse-parts@floor/ && !/ : / {
    split($0, field, "|")
    if (!printed++) printf "\nThe floor, %s (ns a record):\n", substr(title, 1, index(title, ",") - 1)
    printf "  %-13s %6s\n", clean(field[2]), (field[5] + 0 > 0 ? clean(field[5]) : "unavailable")
}
# trials.csv: the fixed work in the order in which it ran.
FILENAME ~ /trials\.csv$/ && FNR == 1 { columns = split($0, heading, ","); for (i = 1; i <= columns; i++) if (heading[i] == "ns_per_record") pace = i }
FILENAME ~ /trials\.csv$/ && /the machine itself/ && /parse-parts@fixed-work/ {
    split($0, field, ",")
    if (field[pace] > 0) look[++looks] = field[pace]
}
END {
    if (!looks) exit
    least = most = look[1]
    for (i = 2; i <= looks; i++) { if (look[i] < least) least = look[i]; if (look[i] > most) most = look[i] }
    printf "\nFixed work between the rows, from the first to the last (the quickest = 1):"
    for (i = 1; i <= looks; i++) printf " %.2f", look[i] / least
    printf "\n"
}
