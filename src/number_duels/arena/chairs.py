"""Players for many games at a time: whoever keeps something of a game plays one at a time."""

from __future__ import annotations

from asyncio import Semaphore
from collections import defaultdict
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from number_duels.arena.roster import Roster
from number_duels.arena.schedule import Fixture
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame
from number_duels.core.player import Player
from number_duels.core.record import Person
from number_duels.players.external import ExternalPlayer, Limits
from number_duels.players.llm.player import ModelPlayer
from number_duels.players.registry import is_external, is_model


class Chairs:
    """The players of an event loop; used in it alone, but for `close`."""

    def __init__(self, limits: Limits, workers: int, clock: Clock = SYSTEM_CLOCK) -> None:
        self.roster = Roster(limits, clock)
        #: Players from outside: those that were made, those that have no game, and room for more.
        self.made: dict[Hashable, list[Player]] = defaultdict(list)
        self.free: dict[Hashable, list[Player]] = defaultdict(list)
        self.room: dict[Hashable, Semaphore] = defaultdict(lambda: Semaphore(workers))

    @asynccontextmanager
    async def taken(self, fixture: Fixture) -> AsyncIterator[list[Player]]:
        """Both players of a fixture, by seat, for as long as its game lasts."""
        game, taken = fixture.pairing.game, dict[Person, Player]()
        try:
            # In one order for all games: nobody waits for who waits for them.
            for person in sorted(fixture.seats, key=lambda person: person.name):
                taken[person] = await self.take(person, game)
            yield [taken[person] for person in fixture.seats]
        finally:
            for person, player in taken.items():
                self.give_back(person, game, player)

    async def take(self, person: Person, game: AnyGame) -> Player:
        if not is_external(person.who):
            return self.roster.player(person, game)
        place = self.roster.place(person, game)
        if not is_model(person.who):
            await self.room[place].acquire()
        return self.free[place].pop() if self.free[place] else self.make(person, game)

    def make(self, person: Person, game: AnyGame) -> Player:
        """One more player of a name; those of a model share its connections."""
        made = self.made[self.roster.place(person, game)]
        first = made[0] if made else None
        another = first.another() if isinstance(first, ModelPlayer) else None
        made.append(another or self.roster.made(person, game))
        return made[-1]

    def give_back(self, person: Person, game: AnyGame, player: Player) -> None:
        if is_external(person.who):
            place = self.roster.place(person, game)
            self.free[place].append(player)
            if not is_model(person.who):
                self.room[place].release()

    def close(self) -> None:
        """Let everybody go, when no game is under way any more."""
        for players in self.made.values():
            for player in players:
                if isinstance(player, ExternalPlayer):
                    player.close()
        self.roster.close()
