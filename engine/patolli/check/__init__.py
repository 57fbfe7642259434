"""Demands and proofs, lints, and English sentences for effects."""
