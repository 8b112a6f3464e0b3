"""Put the text environment behind the interfaces of TextArena and MCP."""

from number_duels.adapters.text import Seat, TextEnv


def answer(text: str) -> str:
    """Answer with the first legal move, in place of a model."""
    first = text.partition("\nYOUR LEGAL MOVES\n")[2].partition(":")[0]
    return f'{{"move": "{first}"}}'


class TextArenaDuel:  # derive from textarena.Env
    """One player at a time. Where both choose at once, the first answer is held back."""

    def __init__(self, game: str, **settings: int | str) -> None:
        self.env = TextEnv(game, reward="result", **settings)

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        if num_players != 2:
            raise ValueError("These games are for two.")
        self.env.reset(seed)
        self.rewards = {0: 0.0, 1: 0.0}

    def get_observation(self) -> tuple[int, str]:
        seat, ask = min(self.env.asked.items())
        return int(seat), ask.text

    def step(self, action: str) -> tuple[bool, dict[str, object]]:
        seat = min(self.env.asked)
        step = self.env.step({seat: action})
        for player, reward in step.rewards.items():
            self.rewards[int(player)] += reward
        return step.done, {"refused": step.refused.get(seat), "loss": step.losses[seat]}

    def close(self) -> tuple[dict[int, float], dict[int, dict[str, object]]]:
        scores = {int(seat): {"loss": self.env.score(seat).loss} for seat in Seat}
        return self.rewards, scores


class DuelTools:
    """Two tools: `server = MCPServer("number-duels")`, then `server.tool()(tools.begin)`."""

    def __init__(self) -> None:
        self.env: TextEnv | None = None

    def begin(self, game: str, opponent: str = "level:3", seed: int = 1) -> str:
        """Begin a game, and return its first prompt."""
        self.env = TextEnv(game, opponent=opponent)
        self.env.reset(seed)
        return self._next("")

    def move(self, answer: str) -> str:
        """Make a move, and return the next prompt."""
        if self.env is None or self.env.done:
            return "No game is being played; begin one."
        (seat,) = self.env.agents
        step = self.env.step({seat: answer})
        return self._next(f"That move cost you {step.losses[seat]:.3f}.\n\n")

    def _next(self, before: str) -> str:
        assert self.env is not None
        if outcome := self.env.match.outcome:
            return f"{before}{outcome.reason} {self.env.score(self.env.agents[0])}"
        return before + self.env.asked[self.env.agents[0]].text


if __name__ == "__main__":
    arena = TextArenaDuel("number-bid", numbers=4)
    arena.reset(seed=7)
    done = False
    while not done:
        player, text = arena.get_observation()
        done, info = arena.step(answer(text))
    print("TextArena:", arena.close())

    tools = DuelTools()
    text = tools.begin("number-knot")
    while "YOUR LEGAL MOVES" in text:
        text = tools.move(answer(text))
    print("MCP:", text)
