"""How often the arena's intervals hold the truth, how often early stopping errs, what luck costs.

    python benchmarks/interval_coverage.py [--seed N] [--arenas N] [--pairs N] [--sizes N …]
                                           [--sprt | --stopped | --ratings | --luck | --bench]

For every game and every meeting of built-in players and simple bots, real pairs of games are played
and graded: the bank. A simulated arena draws its pairs from the bank, whose mean is the truth that
an interval must hold. `--seed` is that of the bank's games: another bank than the one on which
rules were tuned. A meeting fails if its coverage is below 93% by more than chance (one-sided, 1%).
`--sprt` counts wrong verdicts; `--stopped` is about all games together after early stopping;
`--ratings` about the ratings of bots that met one built-in player, and about the least that can be
gained on them; `--luck` compares scores with exact ones, and says how many games the correction
for luck saves; `--bench` is about benches of both sizes, and about comparisons of two
benches. All of them together take about an hour and a half.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from math import atanh, log, sqrt, tanh
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, stdev, variance
from tempfile import TemporaryDirectory
from typing import TypeVar

import number_duels as nd
from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.in_process import GivenPlayers, InProcess
from number_duels.arena.schedule import OVERALL, Schedule
from number_duels.arena.stats.intervals import ONE_SIDED_TAIL, Estimate, combined, estimate
from number_duels.arena.stats.ratings import ELO, PairScores, ratings
from number_duels.arena.stats.scores import Stratum, Unit, over_strata, unit_of
from number_duels.arena.stats.sprt import RunningTest, Sprt
from number_duels.bench.compare import COST, LOSS, STATED, GameUnits, compared, overall, units_of
from number_duels.bench.report import cost_of
from number_duels.bench.results import BenchFile, read_bench
from number_duels.bench.run import Bench, header_of
from number_duels.bench.suite import PLAYER, SIZES, Size, Suite, draw_positions, find_suite
from number_duels.core.game import AnyGame
from number_duels.core.player import Forfeit, Player, Situation
from number_duels.core.randomness import stream
from number_duels.core.record import Person
from number_duels.players.calibration import exact_scores
from number_duels.players.external import Limits
from number_duels.review.position import AnySolution
from number_duels.trainer.exercise import MIXED, MOVE

BUILT_IN = ("random", "level:1", "level:3", "perfect")
#: Number Stack Showdown with its usual settings has too many states for arrays, and is slow.
SETTINGS: dict[str, dict[str, int | str]] = {
    "number-stack-showdown": {"target": 20, "highest": 6, "copies": 3},
}
LUCK_MEETINGS = (("level:1", "random"), ("perfect", "random"), ("perfect", "level:2"))
STOPPED_MEETINGS = (
    ("random", "level:1"),
    ("level:1", "level:3"),
    ("level:3", "perfect"),
    ("level:1", "blind"),
)
#: How far apart the two differences of a test are, in points.
WIDTHS = (30, 60, 200)
#: A meeting that is nearly decided has no difference in points that could be asked about.
MAX_RESULT = 0.95
#: A test that comes so far without a verdict has not erred.
MAX_TESTED_PAIRS, MAX_STOPPED_PAIRS, RATED_PAIRS = 3000, 1000, 50
#: How often an interval must hold the truth at least.
PROMISED = 0.93
#: The game, and who meets whom.
Cell = tuple[str, str, str]
Bank = Mapping[Cell, Sequence[Unit]]


class Bot:
    """Chooses one of the options in a way that nobody knows."""

    def __init__(self, choose: Callable[[Situation], object]) -> None:
        self.choose = choose


BOTS: dict[str, Player] = {
    "highest": Bot(lambda situation: situation.options[-1]),
    "lowest": Bot(lambda situation: situation.options[0]),
    "blind": Bot(lambda situation: situation.rng.choice(situation.options)),
}
MEETINGS = tuple(combinations((*BUILT_IN, *BOTS), 2))


@cache
def strongest_level(game: AnyGame) -> Player:
    return nd.player("level:5", game)


def silent(_: Situation) -> object:
    raise Forfeit("silent", "It never answers.")


#: Players of benches: one errs rarely, one never answers.
BENCH_BOTS: dict[str, Player] = {
    "lowest": BOTS["lowest"],
    "blind": BOTS["blind"],
    "careful": Bot(lambda situation: strongest_level(situation.game).choose(situation)),
    "silent": Bot(silent),
}
BENCH_PLAYERS = ("random", "perfect", *BENCH_BOTS)
#: Positions of a game in the bank of a bench.
BANK_POSITIONS = 1000
#: Intervals by event and figure.
Estimates = dict[tuple[str, str], Estimate]
T = TypeVar("T")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the bank's games")
    parser.add_argument("--arenas", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=2000, help="of a meeting in the bank")
    parser.add_argument("--sizes", type=int, nargs="+", default=(10, 20, 50, 100, 400))
    for name in ("sprt", "stopped", "ratings", "luck", "bench"):
        parser.add_argument(f"--{name}", action="store_true")
    args = parser.parse_args()
    if args.luck:
        print_savings(args.pairs, args.seed)
        return
    with ProcessPoolExecutor() as pool:
        if args.bench:
            print_benches(args.pairs, args.seed, args.arenas, pool)
            return
        cells = [(game, *meeting) for game in nd.games() for meeting in MEETINGS]
        played = pool.map(partial(bank_of, pairs=args.pairs, seed=args.seed), cells)
        bank: Bank = dict(zip(cells, played, strict=True))
        if args.sprt:
            print_error_rates(bank, args.arenas, pool)
        elif args.stopped:
            print_stopped_arenas(bank, args.arenas)
        elif args.ratings:
            print_ratings(bank, args.arenas)
        else:
            for size in args.sizes:
                print_coverage(bank, size, args.arenas, pool)


# ---- the bank --------------------------------------------------------------------


def game_of(name: str) -> AnyGame:
    return nd.load(name, **SETTINGS.get(name, {}))


@cache
def roster_of(game: AnyGame) -> Roster:
    """The players of one game, kept for all meetings of a process."""
    roster = Roster(Limits())
    for bot, player in BOTS.items():
        roster.add(Person(bot, bot), game, player)
    return roster


def play_pairs(game: AnyGame, one: str, two: str, pairs: int, seed: int) -> Iterator[Unit]:
    schedule = Schedule((Person(one, one), Person(two, two)), (game,), pairs, seed)
    for pair in schedule.pairs_of(*schedule.pairings()):
        first, second = (play_fixture(fixture, roster_of(game)) for fixture in pair)
        yield unit_of(first, second)


def bank_of(cell: Cell, pairs: int, seed: int = 1) -> list[Unit]:
    """Graded pairs of a meeting."""
    name, one, two = cell
    return centred(list(play_pairs(game_of(name), one, two, pairs, seed)))


def centred(units: Sequence[Unit]) -> list[Unit]:
    """Luck is zero on average, so its small rest in a bank is taken off."""
    known = [unit.luck for unit in units if unit.luck is not None]
    cards, mixing = map(fmean, zip(*known, strict=True))
    luck = [(one - cards, two - mixing) for one, two in known]
    return [replace(unit, luck=own) for unit, own in zip(units, luck, strict=True)]


# ---- intervals -------------------------------------------------------------------


def estimates(units: Sequence[Unit]) -> Iterator[tuple[str, Estimate]]:
    """Every interval that the arena would print for these pairs."""
    sides = Stratum(1.0, units), Stratum(1.0, [unit.turned for unit in units])
    found = {"score": sides[0].plain(), "without luck": sides[0].corrected()}
    for number, side in enumerate(sides, 1):
        found[f"loss a game {number}"] = side.loss_per_game()
        found[f"loss a decision {number}"] = side.loss_per_decision()
        found[f"loss a choice {number}"] = side.loss_per_choice()
        found[f"accuracy {number}"] = side.accuracy()
    return ((name, one) for name, one in found.items() if one is not None)


def coverage(bank: Sequence[Unit], size: int, arenas: int) -> dict[str, float]:
    """How often each interval of simulated arenas holds the truth."""
    rng, held = Random(1), defaultdict[str, list[bool]](list)
    truths = {name: one.mean for name, one in estimates(bank)}
    truths["without luck"] = truths["score"]
    for _ in range(arenas):
        for name, one in estimates(rng.choices(bank, k=size)):
            held[name].append(one.low - 1e-9 <= truths[name] <= one.high + 1e-9)
    return {name: fmean(found) for name, found in held.items()}


def least_allowed(arenas: int) -> float:
    """Below this a coverage is worse than promised by more than chance."""
    return PROMISED - NormalDist().inv_cdf(0.99) * sqrt(PROMISED * (1 - PROMISED) / arenas)


def print_coverage(bank: Bank, size: int, arenas: int, pool: ProcessPoolExecutor) -> None:
    """A line for each kind of interval: its worst meeting, its mean, and how many fail."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    shares = pool.map(partial(coverage, size=size, arenas=arenas), bank.values())
    for cell, own in zip(bank, shares, strict=True):
        for name, held in own.items():
            place = " ".join(cell) + (f", player {name[-1]}" if name[-1] in "12" else "")
            found[name.rstrip(" 12")][place] = held
    for kind, cells in found.items():
        print_line(f"{size:4} pairs", kind, cells, arenas)


def print_line(size: str, kind: str, cells: Mapping[str, float], arenas: int) -> None:
    worst = min(cells, key=cells.__getitem__)
    failed = sum(held < least_allowed(arenas) for held in cells.values())
    print(
        f"{size}  {kind:16} mean {fmean(cells.values()):6.1%}"
        f"  worst {cells[worst]:6.1%} ({worst})  too low in {failed} of {len(cells)}",
        flush=True,
    )


def print_ratings(bank: Bank, arenas: int) -> None:
    """Ratings of bots that met one built-in player, and the least that is gained on them."""
    found: dict[str, dict[str, float]] = {"rating": {}, "at least": {}}
    for cell, pairs in bank.items():
        if cell[1] not in BUILT_IN or cell[2] in BUILT_IN:
            continue
        truth, rng = fmean(unit.result for unit in pairs), Random(4)
        held = dict.fromkeys(found, 0)
        for _ in range(arenas):
            one = Stratum(1.0, rng.choices(pairs, k=RATED_PAIRS))
            scores = PairScores("bot", "built-in", [-unit for unit in one.best_results()])
            rating = ratings([scores], {"built-in": 0.0})["bot"]
            low, high = (tanh(end / ELO / 2) for end in (rating.low, rating.high))
            held["rating"] += low - 1e-3 <= -truth <= high + 1e-3
            held["at least"] += one.best(ONE_SIDED_TAIL).low <= truth + 1e-9
        for kind, number in held.items():
            found[kind][" ".join(cell)] = number / arenas
    for kind, cells in found.items():
        print_line(f"{RATED_PAIRS:4} pairs", kind, cells, arenas)


# ---- early stopping --------------------------------------------------------------


def stopped(
    bank: Sequence[Unit], test: Sprt, most: int, rng: Random
) -> tuple[str | None, list[Unit]]:
    """The verdict of a test on pairs out of the bank, and the pairs that it took."""
    running, drawn = RunningTest(test), list[Unit]()
    while running.verdict is None and len(drawn) < most:
        drawn.append(rng.choice(bank))
        running.add(drawn[-1])
    return running.verdict, drawn


def error_rate(
    bank: Sequence[Unit], width: float, true: str, corrected: bool, runs: int
) -> tuple[float, float]:
    """How often the wrong verdict falls, and after how many pairs any verdict does.

    The true difference of the meeting is one of the two that the test asks about.
    """
    elo = atanh(fmean(unit.result for unit in bank)) * 800 / log(10)
    low, high = (elo, elo + width) if true == "elo0" else (elo - width, elo)
    test, rng = Sprt(low, high, corrected=corrected), Random(3)
    found = [stopped(bank, test, MAX_TESTED_PAIRS, rng) for _ in range(runs)]
    wrong = sum(verdict not in (None, true) for verdict, _ in found)
    return wrong / runs, fmean(len(drawn) for _, drawn in found)


def print_error_rates(bank: Bank, runs: int, pool: ProcessPoolExecutor) -> None:
    """For every width and kind of results: the worst meeting, the mean, and pairs needed."""
    results = {cell: [unit.result for unit in own] for cell, own in bank.items()}
    open_ = [c for c, own in results.items() if abs(fmean(own)) <= MAX_RESULT and stdev(own)]
    cases = [(cell, true) for cell in open_ for true in ("elo0", "elo1")]
    for width in WIDTHS:
        for corrected in (False, True):
            asked = [
                pool.submit(error_rate, bank[c], width, true, corrected, runs) for c, true in cases
            ]
            wrong, needed = zip(*(one.result() for one in asked), strict=True)
            cell, true = cases[wrong.index(max(wrong))]
            print(
                f"{width:4} points, {'corrected' if corrected else 'plain':9}"
                f" mean {fmean(wrong):5.1%}  worst {max(wrong):5.1%} ({' '.join(cell)}, {true} is"
                f" true)  over 5% in {sum(rate > 0.05 for rate in wrong)} of {len(cases)}"
                f"  {fmean(needed):5.0f} pairs",
                flush=True,
            )


def print_stopped_arenas(bank: Bank, runs: int) -> None:
    """All games together when each ended early: whether the intervals hold the mean of them."""
    for meeting in STOPPED_MEETINGS:
        banks = [own for cell, own in bank.items() if cell[1:] == meeting]
        truth = fmean(fmean(unit.result for unit in own) for own in banks)
        for ends in ((0, 50), (-50, 0), (0, 150)):
            test, rng, held = Sprt(*ends), Random(5), defaultdict[str, list[bool]](list)
            for _ in range(runs):
                drawn = [stopped(own, test, MAX_STOPPED_PAIRS, rng)[1] for own in banks]
                strata = [Stratum(1 / len(drawn), units) for units in drawn]
                found = {
                    "plain": over_strata(strata, Stratum.plain),
                    "without luck": over_strata(strata, Stratum.corrected),
                    "every pair alike": estimate([u.result for units in drawn for u in units]),
                }
                for kind, one in found.items():
                    held[kind].append(one is not None and one.low <= truth <= one.high)
            told = "  ".join(f"{kind} {fmean(own):6.1%}" for kind, own in held.items())
            print(f"{' - '.join(meeting):18} {ends[0]:4},{ends[1]:<4} {told}", flush=True)


# ---- benches ---------------------------------------------------------------------


def bench_banks(
    name: str,
    pairs: int,
    seed: int = 1,
    positions: int = BANK_POSITIONS,
    players: Sequence[str] = BENCH_PLAYERS,
) -> dict[str, GameUnits]:
    """Large benches of one game, by player. All players get the same questions and cards."""
    game = nd.load(name)
    solution = nd.solve(game)
    spots = draw_positions(solution, positions, stream(seed, "positions", name))
    suite = replace(find_suite(Size(pairs, positions)), games=(game,), seed=seed, moves=spots)
    return {who: bench_bank(who, suite, solution) for who in players}


def bench_bank(who: str, suite: Suite, solution: AnySolution) -> GameUnits:
    (game,), (event,) = suite.games, suite.events
    roster = GivenPlayers({Person(PLAYER, who): BENCH_BOTS.get(who, who)})
    with TemporaryDirectory() as folder:
        path = Path(folder) / "results.jsonl"
        with closing(BenchFile(path, header_of(suite, who, Limits()))) as file:
            bench = Bench(suite, who, Limits(), file, lambda: roster)
            bench.run(InProcess(roster), {game: solution})
        found = units_of(read_bench(path), event, game.name, suite.ladder)
    own = {
        rung: dict(zip(units, centred([*units.values()]), strict=True))
        for rung, units in found.pairs.items()
    }
    return replace(found, pairs=own)


def drawn(bank: GameUnits, size: Size, rng: Random) -> GameUnits:
    """The units of a simulated bench. The same draws give the same names."""

    def some(units: Mapping[str, T], count: int) -> dict[str, T]:
        names = rng.choices(list(units), k=count) if units else []
        return {f"{number} {name}": units[name] for number, name in enumerate(names)}

    pairs = {rung: some(units, size.pairs) for rung, units in bank.pairs.items()}
    counts = {MOVE: size.positions, MIXED: size.statements}
    return GameUnits(pairs, {form: some(bank.answers[form], n) for form, n in counts.items()})


def bench_estimates(benches: Mapping[str, GameUnits]) -> Estimates:
    """Every interval that a bench prints, for each game and for all games together."""
    found: Estimates = {}
    for event, units in benches.items():
        strata = [Stratum(1 / len(units.pairs), [*own.values()]) for own in units.pairs.values()]
        own = {
            COST: cost_of([*units.answers[MOVE].values()]),
            STATED: cost_of([*units.answers[MIXED].values()]),
            "score": over_strata(strata, Stratum.corrected),
            LOSS: over_strata(strata, Stratum.loss_per_decision),
        }
        found |= {(event, figure): one for figure, one in own.items() if one is not None}
    for figure in dict.fromkeys(figure for _, figure in found):
        parts = [one for (_, own), one in found.items() if own == figure]
        found[OVERALL, figure] = combined([(1 / len(parts), one) for one in parts])
    return found


def compare_estimates(one: Mapping[str, GameUnits], two: Mapping[str, GameUnits]) -> Estimates:
    """Every interval of `duels bench compare`."""
    found = [part for event in one for part in compared(event, one[event], two[event])]
    return {(part.event, part.figure): part.estimate for part in [*found, *overall(found)]}


def bench_coverage(
    sides: Sequence[Mapping[str, GameUnits]], paired: bool, size: Size, benches: int
) -> dict[tuple[str, str], float]:
    """How often the intervals of simulated benches, or of comparisons of two, hold the truth."""
    estimates = bench_estimates if len(sides) == 1 else compare_estimates
    truths = {place: one.mean for place, one in estimates(*sides).items()}
    if len(sides) == 1:
        for event, bank in sides[0].items():
            own = [fmean(unit.result for unit in units.values()) for units in bank.pairs.values()]
            truths[event, "score"] = fmean(own)
        truths[OVERALL, "score"] = fmean(truths[event, "score"] for event in sides[0])
    held = defaultdict[tuple[str, str], list[bool]](list)
    for number in range(benches):
        made = [
            {
                event: drawn(bank, size, Random(f"{number} {event} {not paired and place}"))
                for event, bank in side.items()
            }
            for place, side in enumerate(sides)
        ]
        for place, one in estimates(*made).items():
            held[place].append(one.low - 1e-9 <= truths[place] <= one.high + 1e-9)
    return {place: fmean(found) for place, found in held.items()}


def print_benches(pairs: int, seed: int, benches: int, pool: ProcessPoolExecutor) -> None:
    made = list(pool.map(partial(bench_banks, pairs=pairs, seed=seed), nd.games()))
    banks = {
        who: {name: own[who] for name, own in zip(nd.games(), made, strict=True)}
        for who in BENCH_PLAYERS
    }
    meetings = list(combinations(BENCH_PLAYERS, 2))
    for size_name, size in SIZES.items():
        for label, asked, paired in (
            ("bench", [(who,) for who in BENCH_PLAYERS], True),
            ("compare, same suite", meetings, True),
            ("compare, own seeds", meetings, False),
        ):
            sides = [[banks[who] for who in players] for players in asked]
            one = partial(bench_coverage, paired=paired, size=size, benches=benches)
            found: dict[str, dict[str, float]] = defaultdict(dict)
            for players, shares in zip(asked, pool.map(one, sides), strict=True):
                for (event, figure), held in shares.items():
                    found[figure][" ".join((event, *players))] = held
            for figure, places in found.items():
                print_line(f"{size_name:5} {label:19}", figure, places, benches)


# ---- luck ------------------------------------------------------------------------


def print_savings(pairs: int, seed: int) -> None:
    """Plain and corrected scores beside exact ones, with standard errors and what is saved."""
    head = f"{'exact':>7} {'plain':>15} {'without luck':>15} {'fewer':>7}"
    print(f"{'game':22} {'meeting':18} {head}")
    for game in map(nd.load, nd.games()):
        exact = exact_scores(game)
        for one, two in LUCK_MEETINGS:
            truth = (exact[one, two] - exact[two, one]) / 2
            own = Stratum(1.0, list(play_pairs(game, one, two, pairs, seed)))
            plain, without = own.results, own.without_luck or []
            ratio = variance(plain) / variance(without) if variance(without) else float("inf")
            figures = (f"{fmean(r):6.3f} ± {stdev(r) / sqrt(pairs):.3f}" for r in (plain, without))
            cells = " ".join(f"{figure:>15}" for figure in figures)
            print(f"{game.name:22} {one + ' - ' + two:18} {truth:7.3f} {cells} {ratio:6.1f}x")


if __name__ == "__main__":
    main()
