"""PettingZoo: all players of a match, one after the other (Agent Environment Cycle).

See https://pettingzoo.farama.org/api/aec/. Which actions there are is the ``action_mask`` of the info, or that of the
observation, which is a table then, as in the classic games of PettingZoo.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from patolli.language.diagnostics.given import whole
from patolli.measure.environments.actions import ACTION, Mask
from patolli.measure.environments.table import NONE_YET, OVER, Observed, Table, check_illegal, check_mode, check_seed

MASKS = ("info", "observation")
AFTER_RESET = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards")
SEEDS = 2**31
"""How many seeds there are for matches if none is given."""


class Zoo(AECEnv):  # type: ignore[misc]
    """Matches of a ruleset; agents are called ``player_1`` and so on, in the order of the seats.

    The agent that has to act next is ``agent_selection``: the order is that of the questions, so an agent may answer
    several in a row. Simultaneous questions are asked one after the other; no agent sees the choices of others before
    all have answered. Rewards are given once, with the last step.
    """

    def __init__(
        self, table: Table, render_mode: str | None = None, seed: int | None = None, masks: str = "info",
        illegal: str = "lose",
    ) -> None:  # fmt: skip
        """Seat the agents at a table.

        Raises:
            TypeError: The seed is no whole number.
            ValueError: There is no such mode of rendering, place of masks, or treatment of illegal actions; or the seed
                is less than 0.
        """
        super().__init__()
        check_mode(render_mode)
        check_illegal(illegal)
        self.illegal = illegal
        if masks not in MASKS:
            raise ValueError(f"masks must be {' or '.join(map(repr, MASKS))}, not {masks!r}")
        self._beside = masks == "info"
        self.table, self.render_mode = table, render_mode
        self.metadata = {
            "render_modes": ["ansi", "human"], "name": f"patolli_{table.rules.id}_v0", "is_parallelizable": False,
            "render_fps": 1,
        }  # fmt: skip
        self.possible_agents = [f"player_{seat + 1}" for seat in range(table.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        mask = spaces.Box(0, 1, (table.actions.size,), dtype=np.int8)
        both: dict[str, spaces.Space[Any]] = {"observation": box(table), "action_mask": mask}
        space = both["observation"] if self._beside else spaces.Dict(both)
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(table.actions.size) for agent in self.possible_agents}
        self._random, _ = seeding.np_random(check_seed(seed))

    def __getattr__(self, name: str) -> Any:
        """Say what an attribute waits for."""
        raise AttributeError(f"{name!r}: {NONE_YET}" if name in AFTER_RESET else f"there is no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the same *seed* begins the same one. ``options`` are not used.

        Raises:
            TypeError: The seed is no whole number.
            ValueError: It is less than 0.
        """
        seed = check_seed(seed)
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.table.begin(int(self._random.integers(SEEDS)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._look_round()

    def observe(self, agent: str) -> Observed | dict[str, Any]:
        """Return what an agent observes now; who does not decide has no actions."""
        seen = self.table.observe_seat(self._seats[agent])
        return seen if self._beside else {"observation": seen, "action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> Mask:
        table = self.table
        if table.over or table.broken_off or table.seat != self._seats[agent]:
            return np.zeros(table.actions.size, dtype=np.int8)
        return table.mask()

    def step(self, action: int | None) -> None:
        """Take an action for the agent that is selected.

        One that cannot be taken now loses: the match ends for all, with a reward of -1 for that agent.

        Raises:
            TypeError: An action is a whole number.
            ValueError: It cannot be taken now, and is to raise; or there is no match.
        """
        if not self.__dict__.get("agents"):
            raise ValueError(OVER if "agents" in self.__dict__ else NONE_YET)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = whole(action, ACTION)
        self._cumulative_rewards[agent] = 0.0
        try:
            index = self.table.option(number)
        except ValueError:
            if self.illegal == "raise":
                raise
            self._end(self.terminations, [-1.0 if one == agent else 0.0 for one in self.possible_agents])
        else:
            self.table.pick(index)
            self._look_round()
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _look_round(self) -> None:
        """Select who decides now; at the end give everybody what the match was worth."""
        table = self.table
        if table.over or table.broken_off:
            if table.over:
                self._end(self.terminations, table.rewards())
            else:
                self._end(self.truncations, [0.0] * table.players)
            return
        if self._beside:
            self.infos[self.agent_selection] = {}
        self.agent_selection = self.possible_agents[table.seat]
        if self._beside:
            self.infos[self.agent_selection] = {"action_mask": table.mask()}

    def _end(self, ends: dict[str, bool], rewards: list[float]) -> None:
        for agent, reward in zip(self.possible_agents, rewards, strict=True):
            ends[agent], self.rewards[agent], self.infos[agent] = True, reward, {}

    def render(self) -> str | None:
        """Draw the table as the agent sees it that is selected: a text (``ansi``), or on the screen (``human``)."""
        return self.table.show(self.render_mode, self._seats[self.agent_selection])

    def close(self) -> None:
        """Do nothing: there is nothing to be closed."""


def box(table: Table) -> spaces.Box:
    """Return the numbers of an observation with their bounds."""
    low, high = table.bounds
    return spaces.Box(low, high, dtype=low.dtype.type)
