"""YAML in, nodes with their places out."""

from patolli.language.sources.nodes import Mapping, Node, Plain, Scalar, Sequence, Source, plain, texts
from patolli.language.sources.read import LIMITS, Limits, read_file, read_yaml

__all__ = [
    "LIMITS",
    "Limits",
    "Mapping",
    "Node",
    "Plain",
    "Scalar",
    "Sequence",
    "Source",
    "plain",
    "read_file",
    "read_yaml",
    "texts",
]
