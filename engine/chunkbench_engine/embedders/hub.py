"""Models of the Hugging Face hub: found in its cache, or fetched."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from chunkbench_engine.errors import BadInput, Unavailable

_SECONDS = 5  # that the hub may take over an answer, and be silent while it sends a file
_WEIGHTS = ["*.safetensors", "pytorch_model*.bin"]
_FILES = ["*.json", "*.txt", "*.model", *_WEIGHTS]
_UNUSED = ["onnx/*", "openvino/*", "*.onnx", "colbert_linear.pt", "sparse_linear.pt"]


def cached_model(repository: str) -> Path | None:
    """The folder of a model that is on this machine already, None if it is not.

    Read from the layout of the hub's cache (`refs` names the commit, `snapshots` holds its
    files), since the hub's own function for it takes half a second to import. A folder without
    weights is what an interrupted download leaves: that is none.
    """
    from huggingface_hub import constants

    cache = Path(constants.HF_HUB_CACHE) / f"models--{repository.replace('/', '--')}"
    try:
        commit = (cache / "refs" / "main").read_text("utf-8").strip()
    except FileNotFoundError:
        return None
    folder = cache / "snapshots" / commit
    weights = (file for pattern in _WEIGHTS for file in folder.rglob(pattern))
    return folder if any(file.exists() for file in weights) else None


def fetch_model(
    repository: str,
    name: str,
    *,
    otherwise: str = "give its path as the model, or choose wordllama-256, which needs no download",
) -> Path:
    """The folder of a model, fetched if it is not on this machine yet.

    The hub has a few seconds to answer. `HF_HUB_OFFLINE`, `HF_HOME` and the hub's other settings
    are honoured; telemetry and progress bars are off.

    Args:
        otherwise: what can be done on a machine that cannot reach the hub.

    Raises:
        Unavailable: the hub cannot be reached, or may not be, or the model asks for a licence
            to be accepted first.
        BadInput: the hub has no such model.
    """
    silence()
    folder = cached_model(repository)
    if folder is not None:
        return folder

    from huggingface_hub import constants, model_info, snapshot_download
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    try:
        # First a question that has a time-out: the one that the download begins with has none.
        model_info(repository, timeout=_SECONDS)
        return Path(
            snapshot_download(
                repository,
                allow_patterns=_FILES,
                ignore_patterns=_UNUSED,
                etag_timeout=_SECONDS,
            )
        )
    except GatedRepoError as error:
        raise Unavailable(
            f"The hub gives the model {repository} only to those who accept its terms: accept "
            f"them on its page, then `hf auth login` and `{download_command(repository)}`."
        ) from error
    except RepositoryNotFoundError as error:
        raise BadInput(
            f"The hub has no model {repository} (or none that it shows you): check the name."
        ) from error
    except _unreachable() as error:
        why = "HF_HUB_OFFLINE is set" if constants.HF_HUB_OFFLINE else "the hub cannot be reached"
        raise Unavailable(
            f"The model {name} is not on this machine and {why}: run "
            f"`{download_command(repository)}` where the hub can be reached, copy the folder it "
            f"prints to this machine and {otherwise}."
        ) from error


def _unreachable() -> tuple[type[Exception], ...]:
    """What is raised where the hub cannot be reached.

    Its HTTP client, whose errors these are, is httpx in some versions and httpx2 in others.
    """
    clients = [sys.modules[name] for name in ("httpx", "httpx2") if name in sys.modules]
    return (OSError, *(client.HTTPError for client in clients))


def download_command(repository: str) -> str:
    """The command that fetches a model into the hub's cache."""
    return f"hf download {repository}"


def silence() -> None:
    """Neither telemetry nor progress bars from huggingface_hub and what is built on it."""
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    os.environ.setdefault("HF_HUB_DOWNLOAD_TIMEOUT", str(_SECONDS))
    os.environ.setdefault("HF_HUB_ETAG_TIMEOUT", str(_SECONDS))
    # The above is read when it is first imported, which may have been long ago.
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
