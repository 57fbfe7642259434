"""Dots and boxes: lines lie flat or upright there, each kind in rows and columns of its own."""

import re

from lockstep import Referee


class DotsAndBoxes(Referee):
    pack = "dots_and_boxes"
    spiel = "dots_and_boxes(num_rows=4,num_cols=4)"

    def key(self, action: str) -> str:
        way, row, column = re.findall(r"\((\w),(\d),(\d)\)", action)[0]
        flat = way == "h"
        return f"{'abcdefghi'[2 * int(column) + flat]}{2 * int(row) + (not flat) + 1}"


REFEREES = (DotsAndBoxes(),)
