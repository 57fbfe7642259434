"""Opens the store that a command names: a file or a database."""

from __future__ import annotations

from pathlib import Path

from patolli.language.sources.home import folder_of_user
from patolli.serve.studio.store import Sqlite, Store, StoreError


def open_store(store: str | None) -> Store:
    """Open a store: a file, the URL of a database, or the default for None. Raises StoreError: it cannot be used."""
    if store is not None and store.startswith(("postgresql://", "postgres://")):
        try:
            from patolli.serve.studio.postgres import Postgres
        except ImportError:
            raise StoreError("this store needs an extra: pip install 'patolli[studio,postgres]'") from None
        return Postgres(store)
    return Sqlite(Path(store) if store else default_store())


def default_store() -> Path | None:
    """Return the default file for tables; None for a user without a home folder."""
    data = folder_of_user("XDG_DATA_HOME", ".local", "share")
    return data / "patolli" / "studio.db" if data is not None else None


def default_lab_folder() -> Path | None:
    """Return the default folder for runs of the lab; None for a user without a home folder."""
    data = folder_of_user("XDG_DATA_HOME", ".local", "share")
    return data / "patolli" / "lab" if data is not None else None
