"""Train a tiny language model with TRL's GRPO, with the exact loss as reward."""

import os
import subprocess
import sys

import torch
from datasets import load_dataset
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.trainers import WordLevelTrainer
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast, set_seed
from trl import GRPOConfig, GRPOTrainer

STEPS = int(os.environ.get("RECIPE_STEPS", "200"))
PAD, UNKNOWN, END = "[PAD]", "[UNK]", "[END]"
torch.set_num_threads(1)  # a model this small is no faster on several
set_seed(1)

# Positions with exact values. The bench's own positions are not among them.
for split, count in (("train", 2000), ("test", 500)):
    words = ["export", "positions", "number-bid", "--split", split, "--count", str(count)]
    command = [sys.executable, "-m", "number_duels", *words, "--out", f"{split}.jsonl"]
    subprocess.run(command, check=True)
files = {split: f"{split}.jsonl" for split in ("train", "test")}


def shorten(row: dict) -> dict:
    """Keep the position and the moves. A model this small cannot read the rules."""
    rest = row["prompt"].partition("THE POSITION\n")[2]
    return {"prompt": rest.partition("\n\nAnswer")[0]}


rows = load_dataset("json", data_files=files, cache_dir="cache").map(shorten)

# One token per word, and a model with random weights: nothing is downloaded.
vocabulary = Tokenizer(WordLevel(unk_token=UNKNOWN))
vocabulary.pre_tokenizer = Whitespace()
trainer = WordLevelTrainer(special_tokens=[PAD, UNKNOWN, END], show_progress=False)
vocabulary.train_from_iterator(rows["train"]["prompt"], trainer)
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=vocabulary, pad_token=PAD, unk_token=UNKNOWN, eos_token=END
)
size = GPT2Config(
    vocab_size=len(tokenizer),
    n_positions=128,
    n_layer=2,
    n_embd=64,
    n_head=4,
    resid_pdrop=0.0,
    embd_pdrop=0.0,
    attn_pdrop=0.0,
    tie_word_embeddings=False,  # tied ones favour the last word of the prompt from the start
    bos_token_id=tokenizer.eos_token_id,
    eos_token_id=tokenizer.eos_token_id,
    pad_token_id=tokenizer.pad_token_id,
)
model = GPT2LMHeadModel(size)


def cost(answer: str, legal: list[str], values: list[float]) -> float:
    """Return the exact loss of an answer. One that is no legal move loses the game."""
    value = values[legal.index(answer)] if answer in legal else -1.0
    return max(values) - value


def reward(completions: list[str], legal: list, values: list, **_: object) -> list[float]:
    return [
        -cost(text.strip(), *row) for text, *row in zip(completions, legal, values, strict=True)
    ]


@torch.no_grad()
def mean_cost() -> tuple[float, float]:
    """Return the expected loss over the test split, and how often the answer is illegal."""
    model.eval()
    loss = illegal = 0.0
    for row in rows["test"]:
        logits = model(**tokenizer(row["prompt"], return_tensors="pt")).logits[0, -1]
        odds = logits.softmax(0)[tokenizer.convert_tokens_to_ids(row["legal"])].tolist()
        refused = 1 - sum(odds)
        illegal += refused
        loss += refused * cost("", row["legal"], row["values"])
        for move, share in zip(row["legal"], odds, strict=True):
            loss += share * cost(move, row["legal"], row["values"])
    return loss / len(rows["test"]), illegal / len(rows["test"])


def tell(who: str, loss: float, illegal: float) -> None:
    print(f"{who} loses {loss:.2f} per move; {100 * illegal:.0f}% of its answers are illegal")


regrets = [max(values) - sum(values) / len(values) for values in rows["test"]["values"]]
tell("A random legal move", sum(regrets) / len(regrets), 0.0)
tell("The untrained model", *mean_cost())
options = GRPOConfig(
    output_dir="grpo",
    max_steps=STEPS,
    per_device_train_batch_size=128,
    num_generations=16,  # answers to each prompt, compared with one another
    max_completion_length=1,  # a move is one token
    learning_rate=1e-3,
    lr_scheduler_type="constant",
    gradient_checkpointing=False,
    use_cpu=True,
    bf16=False,
    seed=1,
    save_strategy="no",
    report_to="none",
    logging_steps=10,
)
GRPOTrainer(model, reward, options, rows["train"], processing_class=tokenizer).train()
tell("The trained model", *mean_cost())
