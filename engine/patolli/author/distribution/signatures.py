"""Sign the files of an index, and verify what was signed, in the format of minisign, which can do both as well.

Source:
    https://jedisct1.github.io/minisign/
"""

from __future__ import annotations

import os
import re
from base64 import b64decode, b64encode
from hashlib import blake2b
from pathlib import Path

from patolli.author.distribution.refusal import Refusal
from patolli.language.sources.archive import read_bytes

SIGNATURE = ".minisig"
LARGEST = 2_000
_KEYED = re.compile(r"(.*)#(RW[A-Za-z0-9+/]{54})", re.DOTALL)
_FORM, _PLAIN = b"Ed", b"Ed\0\0B2"
"""How a key begins, and a secret key without a password."""


def split_key(address: str) -> tuple[str, str]:
    """Return an address of an index without the public key behind ``#``, and the key; an empty one if there is none.

    Raises:
        Refusal: Something else is behind the ``#`` of an address of the web, such as a part of a key.
    """
    found = _KEYED.fullmatch(address)
    if found is None and "://" in address and "#" in address:
        raise Refusal(f"{address!r} is not the address of an index: the part after '#' is not a public key of minisign")
    return (found[1], found[2]) if found is not None else (address, "")


class Signer:
    """A secret key in a file."""

    def __init__(self, file: Path) -> None:
        """Read the file, or make a key if there is none.

        Raises:
            Refusal: It is something else, or has a password.
            OSError: It cannot be read or written.
        """
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if not file.exists():
            secret = Ed25519PrivateKey.generate()
            public, number = secret.public_key().public_bytes_raw(), os.urandom(8)
            whole = number + secret.private_bytes_raw() + public
            data = _PLAIN + bytes(48) + whole + blake2b(_FORM + whole, digest_size=32).digest()
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(b"untrusted comment: secret key of an index\n" + b64encode(data) + b"\n")
        try:
            data = b64decode(read_bytes(file, LARGEST).splitlines()[1], validate=True)
        except (ValueError, IndexError):
            data = b""
        if len(data) != 158 or not data.startswith(_PLAIN):
            raise Refusal(f"{file} is not a secret key without a password; 'minisign -G -W' makes one")
        self._number, self._secret = data[54:62], Ed25519PrivateKey.from_private_bytes(data[62:94])
        self.public = b64encode(_FORM + self._number + data[94:126]).decode()

    def sign(self, data: bytes, name: str) -> bytes:
        """Return the signature file of a file; the same data gives the same signature."""
        seal, comment = self._secret.sign(blake2b(data).digest()), f"file:{name}".encode()
        both = b64encode(b"ED" + self._number + seal), b64encode(self._secret.sign(seal + comment))
        return b"untrusted comment: of an index\n%b\ntrusted comment: %b\n%b\n" % (both[0], comment, both[1])


def verify_signature(data: bytes, signature: bytes, key: str, where: str) -> None:
    """Refuse data that the owner of a public key has not signed. Raises Refusal: no signature, or another key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        lines, public = signature.splitlines(), b64decode(key)
        seal, whole = b64decode(lines[1], validate=True), b64decode(lines[3], validate=True)
        if seal[2:10] != public[2:10]:
            raise Refusal(f"{where} is signed with another key than the one in the address of the index")
        owner, comment = Ed25519PublicKey.from_public_bytes(public[10:]), lines[2].removeprefix(b"trusted comment: ")
        owner.verify(seal[10:], blake2b(data).digest() if seal[:2] == b"ED" else data)
        owner.verify(whole, seal[10:] + comment)
    except (InvalidSignature, ValueError, IndexError):
        raise Refusal(f"{where} is not what its owner has signed; nothing was installed") from None
