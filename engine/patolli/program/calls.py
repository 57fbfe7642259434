"""Put what calls each other into an order in which what is called comes first.

In:     names, each with those that it calls.
Out:    the order, and where circles are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def inner_first(calls: Mapping[str, Iterable[str]]) -> tuple[list[str], set[str]]:
    """Return names such that those that one calls come before it, and some on every circle of calls.

    What is called and has no entry of its own is left out.
    """
    order: list[str] = []
    circular: set[str] = set()
    state: dict[str, bool] = {}  # whether all that one calls is done
    for first in calls:
        path = [] if first in state else [(first, iter(calls[first]))]
        while path:
            name, inner = path[-1]
            state.setdefault(name, False)
            for called in inner:
                if called in calls and called not in state:
                    path.append((called, iter(calls[called])))
                    break
                if state.get(called) is False:
                    circular.add(called)
            else:
                state[name] = True
                order.append(name)
                path.pop()
    return order, circular
