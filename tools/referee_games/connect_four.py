"""Connect four: columns have numbers there."""

from lockstep import Referee


class ConnectFour(Referee):
    pack = spiel = "connect_four"

    def key(self, action: str) -> str:
        return "abcdefg"[int(action[1:])]


REFEREES = (ConnectFour(),)
