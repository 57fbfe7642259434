"""Files of what was learned: arrays and a few words, in one ``.npz`` archive. Nothing in it is ever run.

A file says for what it was made: a hash of the content with its options, the number of players, and the names of the
features. What does not fit is refused. Where no file is named it is looked for below the folder of the user, see
:func:`place`; ``patolli train`` writes it there.
"""

from __future__ import annotations

import json
import struct
import zlib
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile

import numpy as np

from patolli.language.sources.bounded import read_bounded
from patolli.language.sources.home import folder_of_user
from patolli.play.learning.features import features_of
from patolli.play.learning.judge import Judge
from patolli.play.learning.network import TEMPO, WEIGHTS, Network
from patolli.play.learning.outcomes import Yardstick
from patolli.run.runtime import Ruleset

FORMAT = 2
LARGEST = 512 * 1024 * 1024
"""Bytes that a file may have, and its arrays together."""
Arrays = dict[str, Any]


DAMAGED = (
    ValueError, KeyError, TypeError, EOFError, AttributeError, IndexError, SyntaxError, OverflowError, MemoryError,
    RuntimeError, BadZipFile, TokenError, struct.error, zlib.error,
)  # fmt: skip
"""What NumPy, zip and JSON raise at bytes that are not theirs."""
AGAIN, MAKES = "train again", "patolli train makes one"


class ModelError(ValueError):
    """There is no file of what was learned, or it does not fit what is played; the message says why and what to do.

    Attributes:
        why: What is wrong, without what a bot's owner does about it.
        damaged: Whether the file is no good for anything.
    """

    def __init__(self, why: str, then: str = "", damaged: bool = False) -> None:
        """Say what is wrong, and what to do then."""
        super().__init__(f"{why}; {then}" if then else why)
        self.why, self.damaged = why, damaged


def place(rules: Ruleset, players: int) -> Path:
    """Return where what was learned for a ruleset and a number of players stands.

    ``$XDG_DATA_HOME/patolli/learned/PACK-PLAYERSp-HASH.npz``, where the folder is ``~/.local/share`` if the variable is
    not set, and the hash is that of the content with its modules and options.

    Raises:
        ModelError: There is no home.
    """
    data = folder_of_user("XDG_DATA_HOME", ".local", "share")
    if data is None:
        raise ModelError("there is no home folder for models", "use a file with --out FILE and learned:FILE")
    return data / "patolli" / "learned" / f"{rules.id}-{players}p-{rules.content_hash[:16]}.npz"


def stamp(rules: Ruleset, players: int) -> dict[str, Any]:
    """Return what a file says of what it was made for."""
    return {
        "format": FORMAT, "pack": rules.id, "modules": rules.module_ids, "players": players,
        "content": rules.content_hash,
    }  # fmt: skip


def pack_file(judge: Judge, names: tuple[str, ...], words: dict[str, Any], more: Arrays) -> bytes:
    """Return a file as bytes: what was learned, its stamp among the *words*, and *more* arrays."""
    network = judge.network
    arrays: Arrays = {name: getattr(network, name) for name in ("used", "mean", "spread", *WEIGHTS)}
    arrays["trusted"] = np.array([network.trusted])
    arrays["yardstick"] = np.array([judge.measured.middle, judge.measured.scale])
    arrays["features"] = np.array(names, dtype=np.str_)
    arrays["words"] = np.array(json.dumps(words, sort_keys=True))
    written = BytesIO()
    np.savez_compressed(written, **arrays, **more)
    return written.getvalue()


def read_arrays(path: Path) -> Arrays:
    """Return all arrays of a file; ``words`` is what it says. Raises ModelError: unreadable, or another file."""
    try:
        with np.load(BytesIO(read_bounded(path, LARGEST)), allow_pickle=False) as archive:
            if sum(one.file_size for one in archive.zip.infolist()) > LARGEST:
                raise ModelError(f"{path} is too large for a model file")
            arrays: Arrays = {name: archive[name] for name in archive.files}
        arrays["words"] = json.loads(str(arrays["words"]))
        if not isinstance(arrays["words"], dict) or arrays["words"].get("format") not in (1, FORMAT):
            raise ModelError(f"{path} has the format of another version of Patolli", AGAIN)
    except FileNotFoundError:
        raise ModelError(f"no such file: {path}", MAKES) from None
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror or error}") from None
    except ModelError:
        raise
    except DAMAGED:
        raise ModelError(f"{path} is not a model file, or is damaged", MAKES, damaged=True) from None
    return arrays


def judge_of(arrays: Arrays, rules: Ruleset, players: int, path: Path) -> Judge:
    """Return what stands in a file, if it was made for this. Raises ModelError: it was made for something else."""
    words, wanted = arrays["words"], stamp(rules, players)
    for key, said in (("pack", _pack), ("modules", _modules), ("players", _players)):
        if words.get(key) != wanted[key]:
            raise ModelError(f"{path} was trained {said(words.get(key))}, not {said(wanted[key])}", AGAIN)
    if words.get("content") != wanted["content"]:
        raise ModelError(f"{path} was trained for other content or options of {rules.id}", AGAIN)
    names = features_of(rules.start(players)).names
    if tuple(map(str, np.ravel(arrays.get("features", ())))) != names:
        raise ModelError(f"{path} was trained with other features", AGAIN)
    return Judge(_network(arrays, len(names), path), Yardstick(*map(float, arrays["yardstick"])))


def _pack(value: object) -> str:
    return f"for {value}"


def _modules(value: object) -> str:
    if not value or not isinstance(value, list):
        return "without modules"
    return f"with the module{'s' * (len(value) > 1)} {', '.join(map(str, value))}"


def _players(value: object) -> str:
    return f"for {value} player{'s' * (value != 1)}"


def _network(arrays: Arrays, features: int, path: Path) -> Network:
    """Return the network of a file, if its arrays fit together. Raises ModelError: they do not."""
    try:
        used = arrays["used"].astype(np.int64)
        if arrays["words"]["format"] == 1:  # its weights are the same from beginning to end
            arrays = {**arrays, "late": np.zeros(used.shape), "pace": np.zeros(used.shape), "tempo": np.array(TEMPO)}
        found = {name: arrays[name].astype(np.float64) for name in ("mean", "spread", *WEIGHTS)}
        n, h = len(used), len(found["out"])
        shapes = {
            "mean": (n,),
            "spread": (n,),
            "direct": (n,),
            "late": (n,),
            "pace": (n,),
            "tempo": (3,),
            "into": (n, h),
            "bias": (h,),
            "out": (h,),
            "shift": (1,),
        }
        good = all(found[name].shape == shape and np.isfinite(found[name]).all() for name, shape in shapes.items())
        good = good and used.ndim == 1 and bool(((used >= 0) & (used < features)).all()) and found["spread"].all()
        good = good and bool(found["tempo"][2])
        good = (
            good
            and arrays["trusted"].shape == (1,)
            and arrays["yardstick"].shape == (2,)
            and bool(np.isfinite(arrays["yardstick"]).all())
            and float(arrays["yardstick"][1]) > 0
        )
    except (KeyError, ValueError, TypeError, AttributeError):
        good = False
    if not good:
        raise ModelError(f"{path} is damaged: its arrays do not fit together", AGAIN, damaged=True)
    return Network(used, **found, trusted=bool(arrays["trusted"][0]))


@lru_cache(maxsize=16)
def judge_for(rules: Ruleset, players: int, file: Path | None = None) -> Judge:
    """Return what was learned for a ruleset and number of players. Raises ModelError: there is nothing, or no fit."""
    path = file or place(rules, players)
    if file is None and not path.exists():
        why = f"no model yet {_players(players)} of {rules.id} with this content"
        before = _before(path, rules, players)
        if before is not None:
            why += f"; {before} is a model of an older version, or for other options"
        run = f"run 'patolli train {rules.id} --players {players}', with the same modules and options"
        raise ModelError(why, run)
    return judge_of(read_arrays(path), rules, players, path)


def _before(path: Path, rules: Ruleset, players: int) -> Path | None:
    """Return a file that stands where another one is looked for, and differs in the content or its options alone."""
    wanted = stamp(rules, players)
    for other in sorted(path.parent.glob(f"{rules.id}-{players}p-*.npz")):
        with suppress(ModelError):
            words = read_arrays(other)["words"]
            if all(words.get(key) == wanted[key] for key in ("pack", "modules", "players")):
                return other
    return None
