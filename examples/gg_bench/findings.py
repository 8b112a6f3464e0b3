"""What gg-bench's environments do against their documents: each claim is played, and can fail.

Nothing of gg-bench is here: its environments are loaded from a checkout (`gg_bench/data/envs`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from environments import custom_env

import number_duels as nd
from number_duels.games.number_drop import State

ENVIRONMENTS = {
    "number-bid": 433,
    "high-low-battle": 14,
    "number-stack-showdown": 287,
    "number-knot": 584,
    "number-drop": 354,
}
GAMES = 2_000
#: An environment of gg-bench's.
Env = Any


@dataclass(frozen=True)
class Finding:
    """A claim about an environment, what shows it, and whether it was seen."""

    claim: str
    shown: str
    seen: bool
    wrong: bool = True


def load_env(checkout: Path, name: str) -> Env:
    """A fresh environment of gg-bench's."""
    path = checkout / "gg_bench" / "data" / "envs" / f"env_{ENVIRONMENTS[name]}.py"
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.exists():
        raise SystemExit(f"{checkout} is no checkout of gg-bench: it has no {path}.")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CustomEnv()


def rewards(env: Env, actions: list[int]) -> list[tuple[float, bool]]:
    """What each action pays, and whether the game is over, from the beginning."""
    env.reset(seed=1)
    return [(float(r), done) for _, r, done, _, _ in map(env.step, actions)]


# ---- Number Bid ------------------------------------------------------------------


def number_bid(env: Env) -> Iterator[Finding]:
    bids = [7, 6, 5, 9, 10, 8, 2, 4, 3, 1]
    paid = rewards(env, [bid - 1 for bid in bids])[-1]
    yield Finding(
        "the sample game of its document, which Player 1 wins by 35 to 20, is a draw",
        f"7/6 5/9 10/8 2/4 3/1 ends {env.scores[1]} to {env.scores[-1]} and pays {paid[0]:g}",
        paid == (0, True),
    )
    bids = [10, 9, 8, 7, 6, 5, 4, 3, 1, 2]
    paid = rewards(env, [bid - 1 for bid in bids])[-1]
    yield Finding(
        "the last round decides, not the total score",
        f"10/9 8/7 6/5 4/3 1/2 ends {env.scores[1]} to {env.scores[-1]}: Player 2 gets {paid[0]:g}",
        paid == (1, True) and env.scores[1] > env.scores[-1],
    )
    rng, ends = Random(1), Counter[str]()
    for _ in range(GAMES):
        env.reset()
        done = False
        while not done:
            mover = env.current_player
            _, reward, done, _, _ = env.step(rng.choice(env.valid_moves()))
        ends[f"player {1 if mover == 1 else 2} acts last and is paid {reward:g}"] += 1
    yield Finding(
        "Player 1 cannot win: Player 2 always acts last, and is paid 1 or 0",
        f"{GAMES:,} random games: {dict(ends)}",
        set(ends) == {f"player 2 acts last and is paid {n}" for n in (0, 1)},
    )
    env.reset()
    env.step(9)
    yield Finding(
        "a copy, on which gg-bench's search for Player 2 works, has the bid that is secret",
        f"after Player 1 bids 10, deepcopy(env).bids is {deepcopy(env).bids}",
        deepcopy(env).bids[1] == 10,
    )


# ---- High-Low Battle ---------------------------------------------------------------


def high_low_battle(env: Env) -> Iterator[Finding]:
    env.reset(seed=1)
    env.step(8)
    yield Finding(
        "there is one player: the other's card is drawn at random within the step",
        f"after one step the hands have {len(env.player_hand)} and {len(env.opponent_hand)} cards",
        len(env.player_hand) == len(env.opponent_hand) == 8,
    )
    env.step(7)
    yield Finding(
        "who acts in turn, as in gg-bench's evaluation, plays from one and the same hand",
        f"actions 8 and 7 of two players leave one hand: {env.player_hand}",
        env.player_hand == [1, 2, 3, 4, 5, 6, 7],
    )
    foreseen, happened = deepcopy(env), deepcopy(env)
    foreseen.step(0)
    happened.step(6)
    cards = [int(e.opponent_previous_plays[2]) for e in (foreseen, happened)]
    yield Finding(
        "a copy, on which gg-bench's search works, knows the other's next card",
        f"two copies that play 1 and 7 meet the same card: {cards}",
        cards[0] == cards[1],
    )
    rng, ends = Random(1), Counter[tuple[int, float]]()
    for seed in range(GAMES):
        env.reset(seed=seed)
        for _ in range(5):
            _, reward, _, _, _ = env.step(rng.choice(env.valid_moves()))
        lead = env.player_score - env.opponent_score
        ends[(lead > 0) - (lead < 0), float(reward)] += 1
    yield Finding(
        "a lost game and a level one are both paid 0, which gg-bench counts as a draw",
        f"{GAMES:,} random games: {ends[1, 1]} won, {ends[-1, 0]} lost, {ends[0, 0]} level",
        set(ends) == {(1, 1.0), (0, 0.0), (-1, 0.0)},
    )
    yield right_scores(env, rng)


def right_scores(env: Env, rng: Random) -> Finding:
    game, same = nd.load("high-low-battle"), True
    for seed in range(GAMES):
        env.reset(seed=seed)
        state = game.start()
        for played in range(5):
            env.step(rng.choice(env.valid_moves()))
            cards = env.player_previous_plays[played], env.opponent_previous_plays[played]
            moves = {s: game.parse(str(c)) for s, c in zip(nd.Seat, cards, strict=True)}
            state = game.play(state, moves)
        same &= state.scores == (env.player_score, env.opponent_score)
    claim = "points and tie-breakers of the five rounds are those of the document"
    return Finding(claim, f"the same scores in {GAMES:,} random games", same, wrong=False)


# ---- Number Stack Showdown ---------------------------------------------------------


def number_stack_showdown(env: Env) -> Iterator[Finding]:
    env.reset(seed=1)
    before = env.valid_moves()
    env.step(0)
    yield Finding(
        "no move is open before a card is drawn, and drawing is a step of its own",
        f"valid_moves() is {before}; step(0) draws a {env.drawn_card} and places nothing",
        before == [] and env.drawn_card > 0 and set(env.player_stacks.values()) == {0},
    )
    paid = [env.step(0)[1], env.step(0)[1]]
    yield Finding(
        "every legal move that does not win is paid -10, as an illegal one is",
        f"keeping a card pays {paid[0]}, drawing the next {paid[1]}",
        paid == [-10, -10],
    )
    decks = []
    for _ in range(2):
        env.reset(seed=1)
        decks.append(list(env.deck))
    yield Finding(
        "a seed determines nothing",
        f"reset(seed=1) twice: the top cards are {decks[0][-5:]} and {decks[1][-5:]}",
        decks[0] != decks[1],
    )
    highest, same = stacks_beside_ours(env)
    yield Finding(
        "a stack over 50 is outside the observation space",
        f"the highest total seen in {GAMES:,} random games is {highest}",
        highest > 50,
    )
    claim = "which cards may be kept or given, and who wins, is as in the document"
    shown = f"the same options and results in {GAMES:,} random games"
    yield Finding(claim, shown, same, wrong=False)


def stacks_beside_ours(env: Env) -> tuple[int, bool]:
    """The highest total seen, and whether options and results were always ours."""
    game, rng, highest, same = nd.load("number-stack-showdown"), Random(1), 0, True
    for _ in range(GAMES):
        env.reset()
        state, done, reward = game.start(), False, 0.0
        while not done:
            env.step(0)
            state = game.play(state, {None: game.all_events()[env.drawn_card - 1]})
            mover, turn = state.mover, game.turn(state)
            assert isinstance(turn, nd.Decision)
            same &= {"kg"[a] for a in env.valid_moves()} == set(map(str, turn.options[mover]))
            action = rng.choice(env.valid_moves())
            _, reward, done, _, _ = env.step(action)
            state = game.play(state, {mover: game.parse("kg"[action])})
        turn = game.turn(state)
        same &= isinstance(turn, nd.Outcome) and (turn.winner is mover) == (reward == 1)
        highest = max(highest, *env.player_stacks.values())
    return highest, same


# ---- Number Knot and Number Drop -----------------------------------------------------


def number_knot(env: Env) -> Iterator[Finding]:
    try:
        env.reset()
        env.step(18)
        raised = "nothing"
    except IndexError as error:
        raised = f"IndexError: {error}"
    yield Finding(
        "an action that does not exist raises an error instead of being refused",
        f"step(18) raises {raised}",
        raised != "nothing",
    )
    ours, steps, same = custom_env("number-knot"), 0, True
    game = nd.load("number-knot")
    for _, state in nd.states(game):
        turn = game.turn(state)
        options = turn.options[state.mover] if isinstance(turn, nd.Decision) else ()
        for move in options:
            env.player1_life, env.player2_life = state.life
            env.numbers_available = np.array([int(n in state.line) for n in range(1, 10)], np.int32)
            env.current_player, env.done = state.mover + 1, False
            same &= len(env.valid_moves()) == len(options)
            _, reward, done, _, _ = env.step(ours.moves.index(move))
            following = game.play(state, {state.mover: move})
            after = game.turn(following)
            won = isinstance(after, nd.Outcome) and after.winner is state.mover
            same &= (reward, done) == (int(won), isinstance(after, nd.Outcome))
            same &= (env.player1_life, env.player2_life) == following.life
            same &= [n for n in range(1, 10) if env.numbers_available[n - 1]] == [*following.line]
            steps += 1
    claim = "every move of every position does, ends and pays as in the document"
    yield Finding(claim, f"{steps:,} moves: all there are", same, wrong=False)


def number_drop(env: Env) -> Iterator[Finding]:
    ours, game = custom_env("number-drop"), nd.load("number-drop")
    moves = "7-3 6-1 9-4 8+3 8-6 9-7"
    paid = rewards(env, [ours.notation.index(move) for move in moves.split()])[-1]
    left = {1 if seat == 1 else 2: grid for seat, grid in env.player_grids.items()}
    yield Finding(
        "a player who has used up all numbers has not lost yet: the other must make one more move",
        f"after {moves} the grids are {left} and the game goes on",
        paid == (0, False) and left[2] == [],
    )
    late, steps, same = 0, 0, True
    for state in drops_near_the_end():
        turn = game.turn(state)
        assert isinstance(turn, nd.Decision)
        for move in turn.options[nd.Seat.ONE]:
            env.player_grids = {1: state.left(nd.Seat.ONE), -1: state.left(nd.Seat.TWO)}
            env.current_player, env.done = 1, False
            _, reward, done, _, _ = env.step(ours.moves.index(move))
            following = game.play(state, {nd.Seat.ONE: move})
            after = game.turn(following)
            grids = [sorted(env.player_grids[player]) for player in (1, -1)]
            same &= grids == [following.left(seat) for seat in nd.Seat]
            steps += 1
            if isinstance(after, nd.Outcome) and after.winner is nd.Seat.TWO:
                late += 1
                same &= not done and env.step(env.valid_moves()[0])[1:3] == (1, True)
            else:
                same &= (reward, done) == (int(isinstance(after, nd.Outcome)),) * 2
    claim = "every other end is as in the document, and the same player wins"
    shown = f"{steps:,} moves: all that could empty a grid; {late:,} of them end a turn too late"
    yield Finding(claim, shown, same, wrong=False)


def drops_near_the_end() -> Iterator[State]:
    """Every position of Number Drop, reachable or not, in which one turn can empty a grid."""
    cells = [c for size in range(1, 10) for c in combinations(range(1, 10), size)]
    for own, their in product(cells, cells):
        if min(len(own), len(their)) <= 2:
            yield State((own, their), nd.Seat.ONE)


CHECKS: dict[str, Callable[[Env], Iterator[Finding]]] = {
    "number-bid": number_bid,
    "high-low-battle": high_low_battle,
    "number-stack-showdown": number_stack_showdown,
    "number-knot": number_knot,
    "number-drop": number_drop,
}


def check(checkout: Path) -> bool:
    """Print every finding with what shows it; whether all were seen."""
    seen = True
    for name, findings in CHECKS.items():
        print(f"{nd.load(name).title} (environment {ENVIRONMENTS[name]})")
        for found in findings(load_env(checkout, name)):
            mark = ("wrong" if found.wrong else "right") if found.seen else "NOT SEEN"
            print(f"  {mark}: {found.claim}\n         {found.shown}")
            seen &= found.seen
    return seen
