"""The games as text, for language models: what a seat reads, and what its answers cost.

>>> env = TextEnv("number-knot", opponent="perfect", seat=2)
>>> asked = env.reset(seed=7, moves="S5")
>>> asked[Seat.TWO].moves[:3]
('A1', 'S1', 'A2')
>>> list(env.step({Seat.TWO: '{"move": "S10"}'}).refused)  # asked again, and told why
[Seat.TWO]
>>> step = env.step({Seat.TWO: '{"move": "A3"}'})
>>> step.rewards[Seat.TWO], env.match.result
(-1.0, '1-0')
"""

from number_duels.adapters.text.batch import TextBatch
from number_duels.adapters.text.env import REWARDS, Ask, Score, TextEnv, TextStep
from number_duels.core.game import Seat

__all__ = ["REWARDS", "Ask", "Score", "Seat", "TextBatch", "TextEnv", "TextStep"]
