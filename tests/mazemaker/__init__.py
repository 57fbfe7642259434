"""Packs of small random rules, to compare what the checker proves with what then happens.

``ground`` is the pack around the rules; ``chance``, ``expressions``, ``effects``, ``rules``, ``payments`` and
``changes`` write them; ``maze`` puts them together and takes out what the checker refuses; ``playing`` walks through.
Nothing in a rule made here is wrong by itself: names are known and types fit. What is left to chance is what the
proofs are about: whether something can be paid, chosen or carried out where it stands.
"""
