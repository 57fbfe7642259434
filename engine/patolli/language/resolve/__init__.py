"""Declaring and resolving: a composition becomes a model of what is declared, and a program of what it means.

1. ``declare`` collects what documents declare, and parses every text; ``kinds``, ``rules``, ``offers`` and ``patches``
   are parts of it.
2. ``facts`` resolves what stands outside rules, ``effects`` the rules. A class for each sort of thing builds on the one
   before: ``names``, ``calls``, ``expressions``, ``changes``, ``effects``.
3. What is known at one place of a rule is a ``Scope``; what a match may lack is asked of ``presence``; what rules
   return that use their own values is found in ``results``; where each name stands is noted in ``uses``.
"""
