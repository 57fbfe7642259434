"""Which store a command means: a file, or a database."""

from __future__ import annotations

from pathlib import Path

from patolli.sources.home import folder_of_user
from patolli.studio.store import Sqlite, Store, StoreError


def opened(store: str | None) -> Store:
    """Open the store that a command names: a file, or the URL of a database; the usual file for nothing.

    Raises:
        StoreError: It cannot be used.
    """
    if store is not None and store.startswith(("postgresql://", "postgres://")):
        try:
            from patolli.studio.postgres import Postgres
        except ImportError:
            raise StoreError("this store needs an extra: pip install 'patolli[studio,postgres]'") from None
        return Postgres(store)
    return Sqlite(Path(store) if store else usual())


def usual() -> Path | None:
    """Return where tables are kept if nobody says otherwise; None for a user without a home."""
    data = folder_of_user("XDG_DATA_HOME", ".local", "share")
    return data / "patolli" / "studio.db" if data is not None else None


def usual_lab() -> Path | None:
    """Return where runs of the lab are kept if nobody says otherwise; None for a user without a home."""
    data = folder_of_user("XDG_DATA_HOME", ".local", "share")
    return data / "patolli" / "lab" if data is not None else None
