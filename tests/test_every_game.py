"""The laws that every game keeps, at several settings; no game is named here."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import is_dataclass, replace
from enum import Enum
from fractions import Fraction
from graphlib import TopologicalSorter
from itertools import combinations, product

import pytest

import number_duels as nd
from number_duels.core.board import Meter, in_words
from number_duels.core.names import VERBS, put_in
from number_duels.core.player import AnyMatch
from number_duels.core.questions import Answer, Question, labels, plain
from number_duels.core.record import with_names
from number_duels.sessions.narration import concession
from tests.core.playing import (
    TABLES,
    VIEWERS,
    Table,
    at_once,
    candidates,
    children,
    converse,
    decisions,
    draws,
    explored,
    hides,
    joint_moves,
    positions,
    take_step,
)

ONE = nd.Seat.ONE
every_game = pytest.mark.parametrize("name", nd.games())


def over(tables: Iterable[Table]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("table", list(tables), ids=lambda table: table.label)


every_table = over(TABLES)
every_table_that_draws = over(filter(draws, TABLES))
every_table_that_hides = over(filter(hides, TABLES))
every_table_at_once = over(filter(at_once, TABLES))


# ---- rules -------------------------------------------------------------------


@every_table
def test_options_are_there_and_are_distinct(table: Table) -> None:
    for state in positions(table):
        turn = table.game.turn(state)
        if isinstance(turn, nd.Decision):
            assert turn.options
            for options in turn.options.values():
                assert options
                assert len(set(options)) == len(options)


@every_table_that_draws
def test_odds_are_exact_and_sum_to_one(table: Table) -> None:
    for state in positions(table):
        turn = table.game.turn(state)
        if isinstance(turn, nd.Chance):
            assert {type(odd) for odd in turn.odds.values()} == {Fraction}
            assert min(turn.odds.values()) > 0
            assert sum(turn.odds.values()) == 1


def illegal(game: nd.AnyGame, state: Hashable, choices: dict[nd.Seat, Hashable]) -> str:
    """The reason for which choices are refused."""
    with pytest.raises(nd.IllegalMove) as refusal:
        game.play(state, choices)
    return str(refusal.value)


@every_table
def test_only_what_is_an_option_can_be_played(table: Table) -> None:
    game, seen = table.game, dict.fromkeys(every_move(table))
    for state, turn in decisions(table):
        (legal,) = joint_moves(turn, table.rng, limit=1)[:1]
        for seat, options in turn.options.items():
            closed = [move for move in seen if move not in options][:4]
            for move in (*closed, object(), None):
                reason = illegal(game, state, {**legal, seat: move})
                assert all(str(option) in reason for option in options)


@every_table
def test_exactly_those_move_whose_turn_it_is(table: Table) -> None:
    for state in positions(table):
        turn = table.game.turn(state)
        if isinstance(turn, nd.Decision):
            move = next(iter(turn.options.values()))[0]
            wrong: list[set[nd.Seat]] = [set(), {nd.Seat.ONE}, {nd.Seat.TWO}, set(nd.Seat)]
            for seats in wrong:
                if seats != set(turn.options):
                    illegal(table.game, state, dict.fromkeys(seats, move))
            with pytest.raises(nd.IllegalMove):
                table.game.play(state, {None: move})
        else:
            illegal(table.game, state, {})
            for seat in nd.Seat:
                illegal(table.game, state, {seat: "anything"})
            with pytest.raises(nd.IllegalMove):
                table.game.play(state, {None: "no event at all"})


@every_table
def test_states_and_moves_are_frozen_values(table: Table) -> None:
    for state in positions(table):
        for how, child in children(table.game, state, table.rng, limit=10):
            assert hash(child) == hash(child)
            assert hash(how) == hash(how)
            assert is_dataclass(child)
            with pytest.raises((AttributeError, TypeError)):
                setattr(child, next(iter(child.__dataclass_fields__)), None)


@every_table
def test_equal_keys_have_equal_futures(table: Table) -> None:
    game, same = table.game, defaultdict(list)
    for state in explored(table):
        same[game.key(state)].append(state)
    for states in same.values():
        futures = {future(game, state, table) for state in states[:8]}
        assert len(futures) == 1, states[:8]


def future(game: nd.AnyGame, state: Hashable, table: Table) -> Hashable:
    """All that a state's future shows in one step: what is open, and the keys that follow."""
    turn = game.turn(state)
    if isinstance(turn, nd.Outcome):
        return turn
    if isinstance(turn, nd.Decision):
        now: Hashable = frozenset((seat, frozenset(o)) for seat, o in turn.options.items())
    else:
        now = frozenset(turn.odds.items())
    following = children(game, state, table.rng, limit=100)
    return now, frozenset((how, game.key(child)) for how, child in following)


@every_table
def test_every_game_ends(table: Table) -> None:
    """Random games came to their end, and nowhere does play come back to where it was."""
    assert isinstance(table.game.turn(positions(table)[-1]), nd.Outcome)
    graph = {
        state: {child for _, child in children(table.game, state, table.rng)}
        for state in explored(table)[:300]
    }
    assert set(TopologicalSorter(graph).static_order()) >= graph.keys()


@every_table
def test_an_outcome_says_who_won_and_why(table: Table) -> None:
    for state in positions(table):
        turn = table.game.turn(state)
        if isinstance(turn, nd.Outcome):
            assert turn.winner in VIEWERS
            assert turn.reason.endswith(".")
            assert turn.result in ("1-0", "0-1", "1/2-1/2")


# ---- views -------------------------------------------------------------------


@every_table
def test_a_view_of_a_view_is_the_same_view(table: Table) -> None:
    for state in positions(table):
        for viewer in VIEWERS:
            view = table.game.view(state, viewer)
            assert table.game.view(view, viewer) == view


@every_table
def test_what_is_hidden_is_marked(table: Table) -> None:
    for state in positions(table):
        assert repr(nd.HIDDEN) not in repr(state)
        for viewer in VIEWERS:
            view = table.game.view(state, viewer)
            assert view == state or repr(nd.HIDDEN) in repr(view)


@every_table
def test_who_decides_sees_what_is_needed(table: Table) -> None:
    for state, turn in decisions(table):
        for seat, options in turn.options.items():
            seen = table.game.turn(table.game.view(state, seat))
            assert isinstance(seen, nd.Decision)
            assert seen.options[seat] == options


@every_table_that_hides
def test_states_that_differ_in_what_is_hidden_look_the_same(table: Table) -> None:
    game = table.game
    for state in positions(table):
        if not isinstance(game.turn(state), nd.Chance):
            continue
        after = [child for _, child in children(game, state, table.rng)]
        for viewer in VIEWERS:
            views = {game.view(child, viewer) for child in after}
            if any(game.view(child, viewer) != child for child in after):
                assert len(views) == 1
                before = game.view(state, viewer)
                assert len({tuple(game.tell(before, {}, v, viewer)) for v in views}) == 1
                assert len({game.sum_up(before, {}, view) for view in views}) == 1
                turns = {repr(game.turn(view)) for view in views}
                assert len(turns) == 1


# ---- notation and questions --------------------------------------------------


def every_move(table: Table) -> Iterator[Hashable]:
    for _, turn in decisions(table):
        for options in turn.options.values():
            yield from options


@every_table
def test_parse_inverts_print(table: Table) -> None:
    for move in every_move(table):
        assert table.game.parse(str(move)) == move
        assert table.game.parse(f"  {str(move).upper()}\t") == move
        assert " " not in str(move)
        assert "/" not in str(move)


@every_table
def test_the_repr_of_a_move_or_event_rebuilds_it(table: Table) -> None:
    names = vars(sys.modules[type(table.game).__module__])
    things = set(every_move(table))
    for state in positions(table):
        turn = table.game.turn(state)
        things |= set(turn.odds) if isinstance(turn, nd.Chance) else set()
    for thing in things:
        assert eval(repr(thing), dict(names)) == thing
        named = is_dataclass(thing) or isinstance(thing, Enum) or hasattr(thing, "_fields")
        assert named, "a dataclass, an enum or a named tuple"


def paths(question: Question[Hashable]) -> Iterator[tuple[tuple[Answer[Hashable], ...], Hashable]]:
    """Every way through a question: the answers, and the move they make."""
    for answer in question.answers:
        if isinstance(answer.leads_to, Question):
            for rest, move in paths(answer.leads_to):
                yield (answer, *rest), move
        else:
            yield (answer,), answer.leads_to


@every_table
def test_a_question_leads_to_the_options_and_to_nothing_else(table: Table) -> None:
    for state, turn in decisions(table):
        for seat, options in turn.options.items():
            question = table.game.question(table.game.view(state, seat), seat)
            assert set(labels(question)) == set(options)


@every_table
def test_typing_the_answers_one_by_one_makes_the_move(table: Table) -> None:
    rng, asked = table.rng, list(decisions(table))
    for state, turn in rng.sample(asked, min(15, len(asked))):
        for seat in turn.options:
            view = table.game.view(state, seat)
            ways = list(paths(table.game.question(view, seat)))
            for answers, move in rng.sample(ways, min(2, len(ways))):
                for spell in (str, str.upper, lambda text: f" {text}\t"):
                    typed = [spell(answer.text) for answer in answers]
                    assert converse(table.game.ask(view, seat), typed) == move
                for also in answers[-1].also:
                    typed = [*(answer.text for answer in answers[:-1]), also]
                    assert converse(table.game.ask(view, seat), typed) == move


@every_table
def test_the_whole_notation_is_taken_at_the_first_question(table: Table) -> None:
    rng = table.rng
    for state, turn in decisions(table):
        for seat, options in turn.options.items():
            view = table.game.view(state, seat)
            for move in rng.sample(options, min(2, len(options))):
                assert converse(table.game.ask(view, seat), [str(move)]) == move


@every_table
def test_no_two_answers_to_a_question_are_typed_alike(table: Table) -> None:
    for state, turn in decisions(table):
        for seat in turn.options:
            waiting = [table.game.question(table.game.view(state, seat), seat)]
            while waiting:
                question = waiting.pop()
                typed = [plain(t) for a in question.answers for t in (a.text, *a.also)]
                assert len(set(typed)) == len(typed)
                assert not set(typed) & set(question.closed)
                assert all(answer.label for answer in question.answers)
                following = [a.leads_to for a in question.answers]
                waiting += [q for q in following[:3] if isinstance(q, Question)]


# ---- words and board ---------------------------------------------------------


def words(table: Table, viewer: nd.Seat | None) -> Iterator[str]:
    """Everything that a viewer is told in three random games."""
    game = table.game
    yield from game.opening(game.view(positions(table)[0], viewer))
    for state in positions(table):
        if isinstance(game.turn(state), nd.Outcome):
            continue
        view = game.view(state, viewer)
        yield from game.announce(view, viewer)
        for how, child in children(game, state, table.rng, limit=3):
            made = how if isinstance(game.turn(state), nd.Decision) else ()
            assert isinstance(made, tuple)
            yield from game.tell(view, dict(made), game.view(child, viewer), viewer)
            yield game.sum_up(view, dict(made), game.view(child, viewer))


@every_table
@pytest.mark.parametrize("viewer", VIEWERS)
def test_words_are_words(table: Table, viewer: nd.Seat | None) -> None:
    for line in words(table, viewer):
        # "None" is what an empty list of numbers is called, and nothing else.
        assert "None" not in line.removesuffix(": None"), line
        assert not re.search(r"Seat\.|Hidden|[{}<>]|\?|\b1 (points|rounds)\b", line), line
        assert line == line.rstrip(), line
        assert line.isprintable(), line


@every_table
def test_a_spectator_is_never_addressed(table: Table) -> None:
    for line in words(table, None):
        assert not re.search(r"\b(you|your|yours|yourself|opponent)\b", line, re.IGNORECASE), line


def figures(text: str) -> set[int]:
    return set(map(int, re.findall(r"[0-9]+", text)))


@every_table
def test_a_step_is_summed_up_in_one_short_sentence_of_what_is_seen(table: Table) -> None:
    game = table.game
    for state, viewer in product(positions(table), VIEWERS):
        before = game.view(state, viewer)
        for how, child in children(game, state, table.rng, limit=3):
            after = game.view(child, viewer)
            made = how if isinstance(game.turn(state), nd.Decision) else ()
            assert isinstance(made, tuple)
            moves = dict(made)
            said = game.sum_up(before, moves, after)
            assert re.fullmatch(r"[A-Z0-9][^.!?]*[.!]", said), said
            assert len(said) <= 65, said
            boards = game.board(before), game.board(after)
            pairs = zip(*boards, strict=False)
            gains = {
                new.value - old.value
                for old, new in pairs
                if isinstance(old, Meter) and isinstance(new, Meter)
            }
            shown = (*map(str, moves.values()), *in_words(boards[0]), *in_words(boards[1]))
            # The view also holds the rounds before.
            seen = " ".join((*shown, repr(before)))
            assert figures(said.replace("Player 1", "").replace("Player 2", "")) <= (
                figures(seen) | gains
            ), said
            outcome = game.turn(child)
            assert ("wins" in said) == (
                isinstance(outcome, nd.Outcome) and outcome.winner is not None
            )


@every_table
def test_the_board_is_drawn_from_the_view_alone(table: Table) -> None:
    game = table.game
    drawn: dict[Hashable, object] = {}
    for state in positions(table):
        for viewer in VIEWERS:
            view = game.view(state, viewer)
            parts = game.board(view)
            assert parts
            assert hash(parts) == hash(parts)
            assert all(part.owner in (None, 0, 1) and part.label for part in parts)
            assert drawn.setdefault(view, parts) == parts


@every_table
def test_a_consequence_says_in_a_line_whether_the_move_ends_the_game(table: Table) -> None:
    game = table.game
    for state, turn in decisions(table):
        for seat, options in turn.options.items():
            for move in options:
                said = game.consequence(game.view(state, seat), seat, move)
                assert said.isprintable()
                if len(turn.options) == 1:
                    after = game.turn(game.play(state, {seat: move}))
                    winner = after.winner if isinstance(after, nd.Outcome) else seat.other
                    assert said.endswith(("wins", "loses", "draws")) == isinstance(
                        after, nd.Outcome
                    )
                    assert said.endswith("wins") == (winner is seat)


def words_of_a_game(table: Table) -> Iterator[str]:
    """All that a random game says to anybody, and what is asked in it."""
    game, rng = table.game, table.rng
    match = nd.Match(game, seed=7)
    yield from game.opening(match.view(None))
    going_on = True
    while going_on:
        for viewer in VIEWERS:
            view = match.view(viewer)
            yield from in_words(game.board(view))
            if match.outcome is None:
                yield from game.announce(view, viewer)
            if viewer is not None:
                for move in match.options(viewer)[:3]:
                    question = game.question(view, viewer)
                    yield from (question.prompt, question.typed_prompt, *labels(question).values())
                    yield game.consequence(view, viewer, move)
        going_on = take_step(match, rng.choice)
        for viewer in VIEWERS:
            last = match.steps(viewer)[-1]
            yield from game.tell(last.before, last.moves, last.after, viewer)
            yield game.sum_up(last.before, last.moves, last.after)
    assert match.outcome is not None
    yield match.outcome.reason
    given_up = nd.Match(game, seed=7)
    given_up.concede(ONE, "resigned.")
    yield from concession(given_up)


@every_table
def test_words_are_good_english_where_a_player_is_you(table: Table) -> None:
    lines = list(words_of_a_game(table))
    for names in (("You", "Computer"), ("Computer", "You")):
        for line in lines:
            shown = with_names(line, names)
            assert not re.search(r"\b[Yy]ou's|Player [12]", shown)
            assert not re.search(r"[a-z,] (You|Your)\b", shown), shown
            # No verb in the third person, whether or not the table of verbs has it.
            assert not re.search(r"\b[Yy]ou \w*[^\Ws]s\b", shown), shown
            for clause in re.findall(r"\b[Yy]ou\b([^.!?:;]*)", shown.partition("Computer")[0]):
                assert not VERBS.keys() & set(re.findall(r"(?:,| and) (\w+)", clause)), shown
                assert "their own" not in clause


@every_table
def test_words_stay_as_they_are_where_nobody_is_you(table: Table) -> None:
    for line in words_of_a_game(table):
        assert with_names(line, ("Player 1", "Player 2")) == line
        plainly = line.replace("Player 1", "Ann").replace("Player 2", "Bo")
        assert with_names(line, ("Ann", "Bo")) == put_in(line, ("Ann", "Bo")) == plainly


# ---- matches and records -----------------------------------------------------


def new_match(table: Table, seed: int = 7) -> AnyMatch:
    return nd.Match(table.game, seed=seed, started="2026-01-01T00:00:00Z")


def seen(match: AnyMatch) -> Hashable:
    """All that anybody can learn from a match, and what the table itself keeps."""
    views = [(match.view(v), match.moves(v), repr(match.steps(v))) for v in VIEWERS]
    return match.record.to_json(), tuple(views), repr(match.turn), match.turn_number, match.drawer


@every_table
def test_replaying_a_record_rebuilds_the_state_after_every_step(table: Table) -> None:
    match, rng, going = new_match(table), table.rng, True
    while going:
        record = nd.Record.from_json(match.record.to_json())
        assert record == match.record
        game = nd.load(record.game, **record.settings)
        # Where a game is long, any of its steps stands for the others.
        if len(record.moves) < 60 or rng.random() < 0.2:
            assert seen(nd.Match.from_record(game, record)) == seen(match)
        going = take_step(match, rng.choice)
    assert match.record.result != "*"
    assert match.record.reason
    assert seen(nd.Match.from_record(match.game, match.record)) == seen(match)


@every_table
def test_equal_seeds_give_equal_games(table: Table) -> None:
    for seed in (0, 7, 2**48):
        one, two = new_match(table, seed), new_match(table, seed)
        rng_one, rng_two = table.rng, table.rng
        while take_step(one, rng_one.choice):
            take_step(two, rng_two.choice)
        assert seen(one) == seen(two)


def cards(
    table: Table, pick: Callable[[Sequence[Hashable]], Hashable], seed: int
) -> list[Hashable]:
    """What is drawn in a match in which everybody picks in one way."""
    match = new_match(table, seed)
    while take_step(match, pick):
        pass
    drawn = [step.event for viewer in nd.Seat for step in match.steps(viewer) if not step.moves]
    return drawn[: len(drawn) // 2]


@every_table_that_draws
@pytest.mark.parametrize("seed", [1, 2])
def test_the_nth_draw_depends_on_the_seed_and_n_alone(table: Table, seed: int) -> None:
    swapped = {"first": 2} if "first" in table.game.settings else {}
    other = Table("other", nd.load(table.game.name, **{**table.game.settings, **swapped}))
    draws = [
        cards(table, lambda options: options[0], seed),
        cards(table, lambda options: options[-1], seed),
        cards(table, table.rng.choice, seed),
        cards(other, table.rng.choice, seed),
    ]
    for one, two in combinations(draws, 2):
        assert one[: len(two)] == two[: len(one)]


@every_table
def test_undo_takes_back_one_whole_turn(table: Table) -> None:
    match, rng = new_match(table), table.rng
    with pytest.raises(nd.IllegalMove):
        match.undo()
    kept = {match.turn_number: seen(match)}
    # A turn may take several steps; what is kept is how the match stood when it began.
    while take_step(match, rng.choice):
        kept.setdefault(match.turn_number, seen(match))
    while match.turn_number > 1:
        turn = match.turn_number
        match.undo()
        assert match.turn_number == turn - 1
        assert seen(match) == kept[turn - 1]
    with pytest.raises(nd.IllegalMove):
        match.undo()


@every_table_that_draws
def test_undo_brings_the_same_card_back(table: Table) -> None:
    match, rng = new_match(table), table.rng
    for _ in range(12):
        if isinstance(match.turn, nd.Chance):
            match.draw()
            drawn, turns = seen(match), match.moves(match.drawer).split()
            match.undo()
            match = replayed(match, turns)
            assert seen(match) == drawn
        take_step(match, rng.choice)


def replayed(match: AnyMatch, turns: list[str]) -> AnyMatch:
    """The match after it was put down, taken up again, and played on as it is written."""
    again = nd.Match.from_record(match.game, match.record)
    while len(again.moves(again.drawer).split()) < len(turns):
        take_step(again, lambda options: written(options, turns[again.turn_number - 1]))
    return again


def written(options: Sequence[Hashable], turn: str) -> Hashable:
    """The option that the notation of a turn ends in."""
    return next(option for option in options if turn.endswith(str(option)))


@every_table_at_once
def test_a_choice_that_waits_for_the_other_is_nowhere_to_be_seen(table: Table) -> None:
    match, rng, waited = new_match(table), table.rng, 0
    while not isinstance(match.turn, nd.Outcome):
        turn, before = match.turn, seen(match)
        if isinstance(turn, nd.Decision) and len(turn.options) == 2:
            for seat, options in turn.options.items():
                waiting = nd.Match.from_record(match.game, match.record)
                waiting.submit(seat, rng.choice(options))
                assert seen(waiting) == before
                assert waiting.seats_ready == {seat}
                assert waiting.options(seat) == ()
                assert waiting.options(seat.other) == turn.options[seat.other]
                with pytest.raises(nd.IllegalMove):
                    waiting.submit(seat, rng.choice(options))
                waiting.undo()
                assert waiting.seats_ready == frozenset()
                assert waiting.turn_number == max(1, match.turn_number - 1)
                waited += 1
        take_step(match, rng.choice)
    assert waited >= 2


@every_table_that_hides
def test_a_hidden_card_is_in_nothing_that_others_get(table: Table) -> None:
    match, rng, hidden = new_match(table), table.rng, 0
    going = True
    while going:
        drawn_from = match.turn.odds if isinstance(match.turn, nd.Chance) else ()
        told: dict[nd.Seat | None, set[Hashable]] = defaultdict(set)
        for event in drawn_from:
            record = replace(match.record, moves=f"{match.record.moves} {event}".strip())
            drawn = nd.Match.from_record(match.game, record)
            for viewer in VIEWERS:
                if not drawn.hides_nothing_from(viewer):
                    told[viewer].add((drawn.moves(viewer), repr(drawn.steps(viewer))))
                    assert viewer is None or drawn.options(viewer) == ()
        assert all(len(different) == 1 for different in told.values())
        hidden += len(told)
        going = take_step(match, rng.choice)
    assert hidden


@every_table
def test_a_refused_choice_changes_nothing(table: Table) -> None:
    match, rng = new_match(table), table.rng
    while True:
        turn, before = match.turn, seen(match)
        for seat in nd.Seat:
            with pytest.raises(nd.IllegalMove):
                match.submit(seat, "no move at all")
        if not isinstance(turn, nd.Chance):
            with pytest.raises(nd.IllegalMove):
                match.draw()
        assert seen(match) == before
        assert match.seats_ready == frozenset()
        if not take_step(match, rng.choice):
            break


# ---- settings ----------------------------------------------------------------


@every_game
def test_a_setting_out_of_range_is_refused_with_the_range(name: str) -> None:
    defaults = nd.load(name).settings
    for setting, described in nd.load(name).describe_settings().items():
        allowed = candidates(described, defaults)
        wrong: list[int | str] = ["nonsense", "", True, -1, 10**30]
        if described.choices:
            named = tuple(map(str, described.choices))
        else:
            wrong += [described.low - 1, int(allowed[-1]) + 1]
            named = (str(described.low), str(described.high))
        for value in wrong:
            with pytest.raises(ValueError, match=rf"\b{setting} must be .*\.$") as refusal:
                nd.load(name, **{setting: value})
            assert all(word in str(refusal.value) for word in named)


@every_game
def test_a_setting_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"has no setting colour; it has .*\.$"):
        nd.load(name, colour="red")


@every_table
def test_settings_are_all_there_is_to_a_game(table: Table) -> None:
    game = table.game
    again = nd.load(game.name, **game.settings)
    assert again == game
    assert hash(again) == hash(game)
    assert game.settings.keys() == game.describe_settings().keys()


@every_game
def test_a_game_introduces_itself(name: str) -> None:
    game = nd.load(name)
    assert game.name == name
    assert game.title
    assert game.summary.endswith(".")
    assert game.short_rules.endswith(".")
    assert len(game.short_rules) <= 76, "it has one row of a small terminal"
    assert game.rules
    assert all(len(line) <= 80 for line in game.rules.splitlines())


# ---- numbers, for programs that learn ------------------------------------------


@every_table
def test_every_option_and_event_is_numbered(table: Table) -> None:
    moves, events = table.game.all_moves(), table.game.all_events()
    assert len(set(moves)) == len(moves)
    assert len(set(events)) == len(events)
    for state in positions(table):
        turn = table.game.turn(state)
        if isinstance(turn, nd.Decision):
            for options in turn.options.values():
                assert [move for move in moves if move in options] == list(options)
        elif isinstance(turn, nd.Chance):
            assert turn.odds.keys() <= set(events)


@every_table
def test_features_keep_their_shape_and_bounds(table: Table) -> None:
    game = table.game
    shape = [(f.label, len(f.values), f.low, f.high) for f in game.features(game.start(), ONE)]
    for state in positions(table):
        for seat in nd.Seat:
            seen = game.features(game.view(state, seat), seat)
            assert [(f.label, len(f.values), f.low, f.high) for f in seen] == shape
            assert all(f.low <= value <= f.high for f in seen for value in f.values)


@every_table
def test_features_tell_open_states_apart_just_as_keys_do(table: Table) -> None:
    game = table.game
    for seat in nd.Seat:
        seen = defaultdict(set)
        for state in explored(table):
            if game.view(state, seat) == state and not isinstance(game.turn(state), nd.Outcome):
                seen[tuple(f.values for f in game.features(state, seat))].add(game.key(state))
        assert {len(keys) for keys in seen.values()} <= {1}


@every_table
def test_no_game_has_more_turns_than_it_says(table: Table) -> None:
    rng = table.rng
    for _ in range(10):
        match: AnyMatch = nd.Match(table.game, seed=rng.randrange(10**6))
        while take_step(match, rng.choice):
            pass
        assert match.turn_number - 1 <= table.game.most_turns
