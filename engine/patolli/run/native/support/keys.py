"""The keys of the streams of chance, computed where they are needed. See the package.

Source:
    "Secure Hash Standard", FIPS 180-4, SHA-256.
"""

from __future__ import annotations

from patolli.run.native.intrinsics import copy, load8, load32, load64, store32, store64
from patolli.run.native.memory import HEAP, KEYS, SHA, SHA_BEGUN, SHA_STATE, SHA_WORDS, SPELLED
from patolli.run.native.support.text_writer import byte, digits

LOW = 0xFFFFFFFF


def rotate_right(value: int, by: int) -> int:
    """Rotate 32 bits to the right."""
    return (value >> by | value << 32 - by) & LOW


def spread(at: int) -> int:
    """Make 64 words of the 64 bytes of a block."""
    k = 0
    while k < 64:
        store32(
            SHA_WORDS + k, load8(at + k) << 24 | load8(at + k + 1) << 16 | load8(at + k + 2) << 8 | load8(at + k + 3)
        )
        k += 4
    word = SHA_WORDS + 64
    while k < 256:
        one = load32(word - 60)
        other = load32(word - 8)
        one = rotate_right(one, 7) ^ rotate_right(one, 18) ^ one >> 3
        other = rotate_right(other, 17) ^ rotate_right(other, 19) ^ other >> 10
        store32(word, load32(word - 64) + one + load32(word - 28) + other & LOW)
        word += 4
        k += 4
    return 0


def compress_block(at: int) -> int:
    """Take a block of 64 bytes into the state of the hash."""
    spread(at)
    a = load32(SHA_STATE)
    b = load32(SHA_STATE + 4)
    c = load32(SHA_STATE + 8)
    d = load32(SHA_STATE + 12)
    e = load32(SHA_STATE + 16)
    f = load32(SHA_STATE + 20)
    g = load32(SHA_STATE + 24)
    h = load32(SHA_STATE + 28)
    k = 0
    while k < 256:
        first = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)
        first += h + (e & f ^ (e ^ LOW) & g) + load32(SHA + k) + load32(SHA_WORDS + k)
        second = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)
        second += a & b ^ a & c ^ b & c
        h = g
        g = f
        f = e
        e = d + first & LOW
        d = c
        c = b
        b = a
        a = first + second & LOW
        k += 4
    store32(SHA_STATE, load32(SHA_STATE) + a & LOW)
    store32(SHA_STATE + 4, load32(SHA_STATE + 4) + b & LOW)
    store32(SHA_STATE + 8, load32(SHA_STATE + 8) + c & LOW)
    store32(SHA_STATE + 12, load32(SHA_STATE + 12) + d & LOW)
    store32(SHA_STATE + 16, load32(SHA_STATE + 16) + e & LOW)
    store32(SHA_STATE + 20, load32(SHA_STATE + 20) + f & LOW)
    store32(SHA_STATE + 24, load32(SHA_STATE + 24) + g & LOW)
    store32(SHA_STATE + 28, load32(SHA_STATE + 28) + h & LOW)
    return 0


def compute_stream_key(seed: int, name: int) -> int:
    """Work out the key of the stream that a text names, and keep it; see ``kernel.chance.stream_key``."""
    start = load64(HEAP)
    digits(seed)
    byte(47)
    letters = load64(load32(load64(SPELLED) + 11) + name * 8)
    at = load32(letters + 11)
    left = load32(letters + 7)
    while left:
        byte(load64(at) >> 1)
        at += 8
        left -= 1
    bits = (load64(HEAP) - start) * 8
    byte(128)
    while load64(HEAP) - start & 63 != 56:
        byte(0)
    left = 64
    while left:
        left -= 8
        byte(bits >> left & 255)
    end = load64(HEAP)
    copy(SHA_STATE, SHA_BEGUN, 32)
    at = start
    while at < end:
        compress_block(at)
        at += 64
    store64(HEAP, start)
    found = load32(SHA_STATE) << 32 | load32(SHA_STATE + 4)
    store64(KEYS + name * 8, found)
    return found


def forget_keys(names: int) -> int:
    """Forget the keys of streams, whose texts are given: those of another seed are computed when they are needed."""
    at = load32(names + 11)
    left = load32(names + 7)
    while left:
        store64(KEYS + (load64(at) >> 1) * 8, 0)
        at += 8
        left -= 1
    return 0
