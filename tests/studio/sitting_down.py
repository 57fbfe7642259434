"""A client of the studio for tests: the application is asked as a server would ask it, in a loop of its own."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import httpx

from patolli.serve.studio.app import make_app
from patolli.serve.studio.bots import Bots
from patolli.serve.studio.store import Sqlite
from patolli.serve.studio.table_registry import TableRegistry

OWNER = "the-owner"


class Client:
    """Asks an application; use it in a ``with``."""

    def __init__(
        self, store: Any = None, host: str = "127.0.0.1", bots: Bots | None = None, packs: Any = (), lab: Any = None
    ) -> None:
        self.registry = TableRegistry(store or Sqlite(None), bots)
        self.app = make_app(self.registry, OWNER, host, packs, lab)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def __enter__(self) -> Client:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self.registry.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    async def _ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=True)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.request(method, path, **more)

    def ask(self, method: str, path: str, token: str = "", **more: Any) -> httpx.Response:
        headers = {**({"authorization": f"Bearer {token}"} if token else {}), **more.pop("headers", {})}
        return self.run(self._ask(method, path, headers=headers, **more))

    def get(self, path: str, token: str = "", **more: Any) -> Any:
        return self.ask("GET", path, token, **more).json()

    def post(self, path: str, token: str = "", **data: Any) -> Any:
        return self.ask("POST", path, token, json=data).json()

    def table(self, pack: str, players: int = 2, **more: Any) -> At:
        made = self.post("/api/tables", OWNER, pack=pack, players=players, **more)
        assert "table" in made, made
        return At(self, made["table"], made["tokens"])


class At:
    """One table, for a client that has all its tokens."""

    def __init__(self, client: Client, id_: str, tokens: dict[str, Any]) -> None:
        self.client, self.id, self.tokens = client, id_, tokens
        self.path = f"/api/tables/{id_}"

    @property
    def host(self) -> str:
        return self.tokens["host"]

    def token(self, seat: int) -> str:
        return self.tokens["seat"][seat]

    def state(self, token: str = "") -> Any:
        return self.client.get(self.path, token or self.host)

    def move(self, answer: int | str, token: str = "", key: str = "", revision: int | None = None) -> httpx.Response:
        if revision is None:
            revision = self.client.registry.tables[self.id].revision
        chosen = {"index": answer} if isinstance(answer, int) else {"label": answer}
        data = {"revision": revision, "key": key, **chosen}
        return self.client.ask("POST", f"{self.path}/moves", token or self.host, json=data)

    def ask(self, method: str, what: str, token: str = "", **data: Any) -> httpx.Response:
        more = {"json": data} if method == "POST" else {}
        return self.client.ask(method, f"{self.path}/{what}", token or self.host, **more)
