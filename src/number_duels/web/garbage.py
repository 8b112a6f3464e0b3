"""When Python looks for garbage: a look at everything stops every game, for as long as it takes.

What the server makes and throws away goes by itself, without being looked for (a test
holds views and changes to that), so a look at everything finds next to nothing. It
takes half a second with a thousand games, and whoever opens many connections would make it
happen again and again. So what is new is looked through as always, and everything
only when nobody asks for anything, or when very much has been kept since.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from number_duels.core.clock import SYSTEM_CLOCK, Clock

#: New objects after which the new ones are looked through.
NEW_OBJECTS = 2_000
#: Looks at what is new after which those that are left are looked through, too: some milliseconds.
NEW_LOOKS = 5
#: So many of these, and everything is looked through in the next quiet moment.
LOOKS_BEFORE_QUIET_ONE = 20
#: So many, and it is done in the midst of play: 10 million objects more than were thrown away.
LOOKS_AT_MOST = 1_000
#: In which nobody may have asked for anything.
QUIET_S = 1.0


def settle() -> None:
    """What was made by now stays; from now on everything is looked through seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, NEW_LOOKS, LOOKS_AT_MOST)


async def collect_when_quiet(asked_so_far: Callable[[], int], clock: Clock = SYSTEM_CLOCK) -> None:
    """Look through everything whenever it is due and nobody has asked for a moment."""
    while True:
        before = asked_so_far()
        await clock.sleep(QUIET_S)
        if asked_so_far() == before and gc.get_count()[2] >= LOOKS_BEFORE_QUIET_ONE:
            gc.collect()
