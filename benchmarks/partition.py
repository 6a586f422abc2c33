"""Dev and holdout of 10,000 cases in 2,000 groups: leaks, each stratum's share, and where groups do not allow it.

    python -m benchmarks.partition [--cases 10000] [--groups 2000] [--share 0.25] [--seed 7]

Four mixes: groups of very different sizes; the same coming in twenty batches, as approvals do; ties in chains of three
kinds across strata; and a stratum of a few groups that are too large. CPU milliseconds, best of three.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence

from curator.domain.partition import PartitionCase, assign, drawn_groups, leaks
from curator.services.partitions import NEAR, shares

DOMAINS = ("emission", "filing", "pensions", "school-health", "housing")
BEHAVIORS = ("answer", "refuse", "escalate")
KINDS = ("source", "conversation", "near-duplicate")
BATCHES = 20


def uneven(wanted: int, groups: int) -> list[PartitionCase]:
    """Groups of very different sizes in 15 strata, each tied by one key."""
    draw = random.Random(11)
    sizes = [1 + int(draw.expovariate(1) * (wanted / groups - 1) + 0.5) for _ in range(groups)]
    made: list[PartitionCase] = []
    number = 0
    while len(made) < wanted:
        key = f"{KINDS[number % 3]}:{number % groups}"
        stratum = f"{DOMAINS[number % 5]} / {BEHAVIORS[number // 5 % 3]}"
        for _ in range(min(sizes[number % groups], wanted - len(made))):
            made.append(PartitionCase(id=f"c-{len(made):06d}", ties=(key,), stratum=stratum))
        number += 1
    draw.shuffle(made)
    return made


def chained(wanted: int, groups: int) -> list[PartitionCase]:
    """Each case shares one thing with the next of its group, never the same with all; groups lie across strata."""
    draw = random.Random(5)
    made = []
    for n in range(wanted):
        group, place = n % groups, n // groups
        ties = (f"{KINDS[place % 3]}:{group}.{place}", f"{KINDS[(place + 1) % 3]}:{group}.{place + 1}")
        stratum = f"{draw.choice(DOMAINS)} / {draw.choice(BEHAVIORS)}"
        made.append(PartitionCase(id=f"c-{n:06d}", ties=ties, stratum=stratum))
    draw.shuffle(made)
    return made


def lumpy(wanted: int, groups: int) -> list[PartitionCase]:
    """As uneven, but for a stratum of three groups and one of a single group."""
    rest = uneven(wanted - 600, groups - 4)
    large = [
        PartitionCase(id=f"l-{n:06d}", ties=(f"source:large-{n * 3 // 500 if n < 500 else 9}",),
                      stratum="lumpy / answer" if n < 500 else "alone / answer")
        for n in range(600)
    ]  # fmt: skip
    return rest + large


def sided(cases: Sequence[PartitionCase], share: float, seed: int, batches: int = 1) -> list[PartitionCase]:
    """The cases with their sides, given all at once or as they come."""
    known: list[PartitionCase] = []
    for n in range(batches):
        batch = cases[n::batches]
        given = assign([*known, *batch], share=share, seed=seed).sides
        known += [c.model_copy(update={"side": given[c.id]}) for c in batch]
    return known


def tell(name: str, cases: Sequence[PartitionCase], share: float, seed: int, batches: int = 1) -> None:
    """One mix: what it came to, and each stratum that is off with the reason that `partition show` gives."""
    times = []
    for _ in range(3 if batches == 1 else 1):
        before = time.process_time()
        known = sided(cases, share, seed, batches)
        times.append(time.process_time() - before)
    joined = drawn_groups(known)
    strata = shares(joined, share)
    off = [s for s in strata if not s.near]
    near = [abs(s.share - share) for s in strata if s.near]
    print(f"{name}: {len(known)} cases, {len(joined)} groups, {len(strata)} strata, {batches} batch(es)")
    print(f"  leaks                        {len(leaks(known)):6d}")
    print(
        f"  strata within {NEAR * 100:.0f} points       {len(near):6d}, the farthest {max(near, default=0) * 100:.2f}"
    )
    print(f"  others, each said why        {sum(bool(s.why) for s in off):6d} of {len(off)}")
    for s in off:
        print(f"    {s.stratum}: {s.share:.0%} of {share:.0%}: {s.why}")
    print(f"  sides given in               {min(times) * 1000:6.0f} CPU ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--groups", type=int, default=2_000)
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    mixed = uneven(args.cases, args.groups)
    tell("uneven groups", mixed, args.share, args.seed)
    tell("the same, as they come", mixed, args.share, args.seed, BATCHES)
    tell("chains across strata", chained(args.cases, args.groups), args.share, args.seed)
    tell("a few large groups", lumpy(args.cases, args.groups), args.share, args.seed)


if __name__ == "__main__":
    main()
