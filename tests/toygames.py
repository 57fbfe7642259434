"""Small games for the search that are fully known."""

from __future__ import annotations

from patolli.play.players.search.matches import Asked


class Game:
    """What a search asks of a game, as it is where nothing else is said: nothing is hidden, valued or left to chance."""

    certain, hides, opposed, alone = True, False, True, False

    def count_calls(self, seat):
        return 0

    def payoff(self, position, outcome):
        return outcome

    weigh_outcome = payoff

    def value(self, position):
        return None

    def score(self, position):
        return 0

    def beginning(self, draw):
        return None

    def private(self, position, seat):
        return None

    def seat_view(self, position, seat):
        return self.private(position, seat)

    def visible_choice(self, position, index):
        return self.open_question(position).options[index]

    def is_sealed(self, position):
        return False


class Heap:
    """Where a game of Nim with one heap stands."""

    def __init__(self, left, seat=0, line=()):
        self.left, self.seat, self.line = left, seat, line


class Nim(Game):
    """The player who takes the last of a heap wins; one, two or three are taken at once. Seats follow each other."""

    def __init__(self, left, seats=2):
        self.left, self.seats, self.seat = left, seats, 0
        self.opposed = seats == 2

    def world(self, draw):
        return Heap(self.left)

    def copy(self, position):
        return Heap(position.left, position.seat, position.line)

    def open_question(self, position):
        return Asked(position.seat, position.seat, range(1, min(3, position.left) + 1)) if position.left else None

    def pick(self, position, index):
        position.left -= index + 1
        position.line += (index + 1,)
        position.seat = (position.seat + 1) % self.seats

    def outcome(self, position):
        last = (position.seat - 1) % self.seats
        return [float(seat == last) for seat in range(self.seats)]


class Dice(Game):
    """A player alone takes a sure amount, or throws a die for what it shows."""

    certain, seats, seat = False, 1, 0

    def __init__(self, sure):
        self.sure = sure

    def world(self, draw):
        return [draw, None]

    def copy(self, position):
        return position[:]

    def open_question(self, position):
        return Asked(0, 0, ("take", "throw")) if position[1] is None else None

    def pick(self, position, index):
        position[1] = position[0].randint(1, 6) if index else self.sure

    def outcome(self, position):
        return [position[1] / 6]


class Coins(Game):
    """Matching pennies: the second seat, which guesses, must not see what the first has chosen."""

    certain, hides, seats = False, True, 2

    def __init__(self, seat=0, sealed=False):
        self.seat, self._sealed = seat, sealed
        self.guesses = {}

    def world(self, draw):
        return [draw.choice("ht")] if self.seat else []

    def copy(self, position):
        return position[:]

    def open_question(self, position):
        return Asked(len(position), len(position), "ht") if len(position) < 2 else None

    def pick(self, position, index):
        position.append("ht"[index])

    def visible_choice(self, position, index):
        return "a coin"

    def outcome(self, position):
        same = position[0] == position[1]
        return [float(not same), float(same)]


class Prize(Game):
    """Which of two doors is the right one depends on the world; a third one always gives a little less than half.

    An answer that is only there in few worlds must not look worse for that.
    """

    certain, seats, seat = False, 1, 0

    def world(self, draw):
        return [draw.random() < 0.1, None]

    def copy(self, position):
        return position[:]

    def open_question(self, position):
        return (
            Asked(0, 0, ("sure", "risky", "rare") if position[0] else ("sure", "risky"))
            if position[1] is None
            else None
        )

    def pick(self, position, index):
        position[1] = (0.4, 0.3, 1.0)[index]

    def outcome(self, position):
        return [position[1]]
