"""Evaluate a model at Number Bid with Inspect. LOCAL_BASE_URL is its endpoint."""

import inspect_ai

from number_duels.adapters.inspect_ai import duel

(log,) = inspect_ai.eval(
    duel("number-bid", pairs=2, opponent="level:1"), model="openai-api/local/model"
)
for score in log.results.scores:
    print(score.name, {name: metric.value for name, metric in score.metrics.items()})
for sample in log.samples:
    print(sample.id, sample.scores["exact_loss"].answer, sample.scores["exact_loss"].value)
