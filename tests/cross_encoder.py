"""A tiny cross-encoder with random weights: no package carries a trained one.

What it says of a passage means nothing; but it is loaded, and it scores, as any other is.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WINDOW = 128


def save_cross_encoder(folder: Path, *, outputs: int = 1, seed: int = 7) -> Path:
    """Save one in a folder, as a model on the hub is saved; the folder."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir(parents=True)
    letters = string.ascii_lowercase + string.digits + string.punctuation
    vocabulary = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    file = folder / "vocab.txt"
    file.write_text("\n".join(vocabulary) + "\n")
    BertTokenizerFast(vocab_file=str(file), model_max_length=WINDOW).save_pretrained(folder)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=WINDOW,
        initializer_range=0.5,  # larger than usual: random weights that tell texts apart
        num_labels=outputs,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder
