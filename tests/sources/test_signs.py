"""Of every sign it is known whether content may hold it."""

from __future__ import annotations

from patolli.language.sources.signs import BAD_ESCAPED, BAD_SIGN

GOOD = [
    range(0x20, 0x7F), range(0xA0, 0x61C), range(0x61D, 0x200E), range(0x2010, 0x2028), range(0x202F, 0x2066),
    range(0x2070, 0xD800), range(0xE000, 0xFEFF), range(0xFF00, 0xFFFE), range(0x10000, 0x110000),
]  # fmt: skip


def test_every_sign() -> None:
    good = {number for several in GOOD for number in several} | {ord("\n")}
    for number in range(0x110000):
        sign = chr(number)
        assert (BAD_SIGN.match(sign) is None) is (number in good), hex(number)
        assert (BAD_ESCAPED.match(sign) is None) is (number in good or sign == "\t"), hex(number)
