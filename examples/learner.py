"""Learn a small Number Knot by self-play, and print how exploitable the policy is."""

import random

import numpy as np

import number_duels as nd
from number_duels.adapters.tables import Tables

game = nd.load("number-knot", numbers=5, life=6)
tables = Tables(game)  # numbers every position of the game
expected = np.zeros(tables.masks.shape)  # the expected result of each action
rng = random.Random(7)


def learn_from_a_game():
    """Play both players at random, and correct the expected result of each move."""
    state = game.start()
    while isinstance(turn := game.turn(state), nd.Decision):
        ((seat, moves),) = turn.options.items()
        move = rng.choice(moves)
        place, action = tables.place(state), tables.encoding.action(move)
        state = game.play(state, {seat: move})
        expected[place, action] = result_for(state, seat)


def result_for(state, seat):
    """Return the result of a player, or before the end the best that its opponent allows."""
    turn = game.turn(state)
    if isinstance(turn, nd.Outcome):
        return 0 if turn.winner is None else 1 if turn.winner is seat else -1
    place = tables.place(state)
    return -expected[place][tables.masks[place]].max()


for played in range(10_001):
    if played % 2_500 == 0:
        policy = tables.with_odds(np.exp(expected / 0.1))  # better actions are likelier
        print(f"after {played:6,} games: exploitable {policy.exploitability():.3f} per game")
    learn_from_a_game()
policy.save("learner.npz")
