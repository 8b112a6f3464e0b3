"""Estimate how many requests and tokens a run with a language model needs, and its price."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from itertools import chain
from random import Random
from urllib.parse import urlsplit

from number_duels.arena.engines import Task
from number_duels.core.game import AnyGame, Seat
from number_duels.core.match import Match
from number_duels.core.player import Situation
from number_duels.core.record import Person
from number_duels.core.runner import play_match
from number_duels.players.external import Limits, ModelOptions
from number_duels.players.llm.prompt import question
from number_duels.players.registry import is_model

CHARS_PER_TOKEN = 4
#: The approximate number of tokens per answer, without and with reasoning.
SHORT_ANSWER, LONG_ANSWER = 15, 400
SAMPLE_GAMES = 20


@dataclass(frozen=True)
class ModelCost:
    """An estimate of the requests, tokens and money that a run takes.

    >>> (ModelCost(1000, 500_000, 15_000, 0.15) + ModelCost(200, 100_000, 3_000, 0.03)).sentence
    'About 1,200 requests, 600,000 prompt tokens and 18,000 answer tokens: $0.18.'
    >>> (ModelCost(1000, 500_000, 15_000, 0.15) + ModelCost(200, 100_000, 3_000)).money is None
    True
    """

    requests: float = 0.0
    prompt_tokens: float = 0.0
    answer_tokens: float = 0.0
    #: In the currency of the price, or None if the price of a model is unknown.
    money: float | None = None

    def __add__(self, other: ModelCost) -> ModelCost:
        prices = [one.money for one in (self, other) if one.requests]
        known = [price for price in prices if price is not None]
        return ModelCost(
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.answer_tokens + other.answer_tokens,
            sum(known) if known and known == prices else None,
        )

    @property
    def sentence(self) -> str:
        requests, prompts, answers = map(
            rounded, (self.requests, self.prompt_tokens, self.answer_tokens)
        )
        price = "" if self.money is None else f": ${self.money:,.2f}"
        tokens = f"{prompts} prompt tokens and {answers} answer tokens"
        return f"About {requests} requests, {tokens}{price}."


def rounded(figure: float) -> str:
    return f"{int(float(f'{figure:.2g}')):,}"


@dataclass
class CountingPlayer:
    """A player that moves at random, and counts its decisions and the characters of its prompts."""

    think: str
    decisions: int = 0
    characters: int = 0

    def choose(self, situation: Situation) -> Hashable:
        if len(situation.options) > 1:  # a forced move needs no request
            self.decisions += 1
            self.characters += len(question(situation, self.think)["content"])
        return situation.rng.choice(situation.options)


@cache
def typical_game(game: AnyGame, think: str) -> tuple[float, float]:
    """Return a seat's mean number of decisions per game, and the mean length of a prompt."""
    counter, rng = CountingPlayer(think), Random(0)
    for _ in range(SAMPLE_GAMES):
        play_match(Match(game, rng.getrandbits(48)), dict.fromkeys(Seat, counter))
    seats = 2 * SAMPLE_GAMES
    return counter.decisions / seats, counter.characters / max(1, counter.decisions)


def model_cost(
    games: Mapping[AnyGame, float], questions: Mapping[AnyGame, float], options: ModelOptions
) -> ModelCost:
    """Estimate the cost of a run. `games` and `questions` have the number of each per game."""
    answer = SHORT_ANSWER if options.think == "no" and not options.reasoning_effort else LONG_ANSWER
    answer = min(answer, options.max_tokens or answer)
    found = ModelCost()
    for game in {**games, **questions}:
        decisions, characters = typical_game(game, options.think)
        requests = decisions * games.get(game, 0) + questions.get(game, 0)
        prompts = requests * (characters + len(options.system)) / CHARS_PER_TOKEN
        answers = requests * answer
        money = None
        if options.price:
            money = (prompts * options.price[0] + answers * options.price[1]) / 1_000_000
        found += ModelCost(requests, prompts, answers, money)
    return found


def cost_of_games(
    people: Iterable[Person], tasks: Iterable[Task], limits: Limits
) -> dict[Person, ModelCost]:
    games = {person: Counter[AnyGame]() for person in people if is_model(person.who)}
    for fixture in chain.from_iterable(tasks) if games else ():
        for person in fixture.seats:
            if person in games:
                games[person][fixture.pairing.game] += 1
    return {
        person: model_cost(played, {}, limits.of(person.name).model)
        for person, played in games.items()
    }


def is_local(url: str) -> bool:
    """Return whether an endpoint is on this machine or in a private network, and therefore free.

    >>> is_local("http://localhost:8000/v1"), is_local("https://api.example.com/v1")
    (True, False)
    """
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".local", ".localhost"))
