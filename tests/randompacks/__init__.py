"""Packs made at random, and a judge that plays them.

A pack is written from a table of templates, so that what can be generated is read at one glance:

``templates``   the little notation of the table, and how a template becomes text
``scope``       what a text may use where it stands
``values``      the table of expressions
``effects``     the table of effects; ``questions`` that of what asks
``idioms``      the table of what is tested first and relied upon afterwards, with something in between
``ground``      what a pack declares: counters, kinds, places, grids
``writer``      draws from the tables
``rules``       rules, functions, triggers, payments; ``changes`` writes a module that patches them
``packs``       the match, and the whole pack
``features``    what of the language a pack uses

Everything is well typed, as far as that can be had without a checker; whether it can fail is left to chance. That is
what the judge finds out:

``engine``      the only file that reaches into the checker and the compiler
``bookkeeping`` what holds in every state of every match
``exploring``   all paths of a small pack, a few of a large one
``judging``     what the checker said, beside what happened
``shrinking``   the smallest pack that shows the same
"""
