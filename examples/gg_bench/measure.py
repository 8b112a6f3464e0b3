"""gg-bench beside the games as written: what its environments do, and how strong its agents are.

Takes the path of a checkout of gg-bench (https://github.com/vivek3141/gg-bench), with its results
and models; docs/gg_bench.md says what came of it.

    python measure.py CHECKOUT --check
    python measure.py CHECKOUT --published
    python measure.py CHECKOUT --agents 250000 1000000 --games knot drop --search 300

Agents that you train with `gg-bench train` lie in the same folder and are measured as well.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from agents import SEARCHED, Greedy
from findings import ENVIRONMENTS, check

import number_duels as nd
from number_duels.core.game import AnyGame

LADDER = ("random", *(f"level:{n}" for n in range(1, 6)), "perfect")
BOT = Path(__file__).with_name("agents.py")
HEADER = (
    f"{'game':22} {'agent':12} rating       95%     "
    "to random  level:3  perfect  lost a game  best reply gains"
)


def published(checkout: Path) -> None:
    """What its language models scored at these games, from the files of its results."""
    print(
        "30 games each: games won by the model, by the agent, drawn, given up for illegal answers"
    )
    for path in sorted((checkout / "results").glob("*_eval_*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        for name, number in ENVIRONMENTS.items():
            if one := found.get(str(number)):
                counts = [one[key] for key in ("gpt_wins", "agent_wins", "draws", "gpt_faults")]
                print(f"{path.name.partition('_')[0]:20} {name:16}", *(f"{n:4}" for n in counts))


def exploitability(checkout: Path, game: AnyGame, steps: int) -> float:
    """Return what a best reply gains on the network per game, averaged over both seats."""
    agent = Greedy(checkout, game, steps)

    def policy(view: object, seat: nd.Seat) -> dict[object, float]:
        turn = game.turn(view)
        assert isinstance(turn, nd.Decision)
        return {agent.likes_best(view, seat, turn.options[seat]): 1.0}

    return float(nd.best_response(game, policy).exploitability)


def measure(args: Namespace, name: str, steps: int, searches: int) -> str:
    """One line of the table: an agent against the whole ladder, over the bot protocol."""
    words = [sys.executable, str(BOT), str(args.checkout.resolve()), str(steps), str(searches)]
    with TemporaryDirectory() as folder:
        command = [
            *(sys.executable, "-m", "number_duels", "arena", "--json"),
            *("--players", f"agent=bot:{shlex.join(words)}", *LADDER, "--gauntlet", "agent"),
            *("--games", name, "--pairs", str(args.pairs), "--workers", str(args.workers)),
            *("--out", str(Path(folder) / "games.jsonl")),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    row = next(row for row in report["rows"] if row["name"] == "agent")
    assert not row["forfeits"], row["forfeits"]
    scores = {m["two"]: m["corrected"]["mean"] for m in report["meetings"]}
    rating = row["rating"]
    gain = "-"
    if name in SEARCHED and not searches:
        gain = f"{exploitability(args.checkout, nd.load(name), steps):.3f}"
    return (
        f"{name:22} {steps:7} {'+' + str(searches) if searches else '':4}"
        f"{rating['rating']:7.0f} {rating['low']:6.0f} to {rating['high']:4.0f}"
        f"{scores['random']:10.2f}{scores['level:3']:9.2f}{scores['perfect']:9.2f}"
        f"{row['loss_per_game']:13.2f}{gain:>18}"
    )


def agents(args: Namespace) -> None:
    print(f"{args.pairs} pairs against each of {', '.join(LADDER)}\n{HEADER}")
    for name in args.games:
        for steps in args.agents:
            print(measure(args, name, steps, 0), flush=True)
            if args.search and name in SEARCHED:
                print(measure(args, name, steps, args.search), flush=True)


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkout", type=Path, help="the folder of gg-bench")
    parser.add_argument("--check", action="store_true", help="play what its environments get wrong")
    parser.add_argument("--published", action="store_true", help="what its models scored there")
    parser.add_argument("--agents", type=int, nargs="+", metavar="STEPS", help="measure its agents")
    parser.add_argument("--games", nargs="+", default=["knot", "drop"], help="at these games")
    parser.add_argument("--search", type=int, default=0, help="and with so many searches a move")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    args.games = [nd.load(name).name for name in args.games]
    if args.published:
        published(args.checkout)
    if args.agents:
        agents(args)
    if args.check and not check(args.checkout):
        raise SystemExit("Something was not seen that the page says.")


if __name__ == "__main__":
    main()
