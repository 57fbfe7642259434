"""Where things lie that have a fixed place in memory: addresses, of 8 bytes each where nothing else is said."""

BUDGET = 64
"""The four numbers of the step budget, see ``kernel.budget``."""
WHOLE = 96
"""How many parts of the budget there are behind the first one."""
HEAP, TOP, FLOOR, LIMIT = 104, 112, 120, 128
"""Where the next object goes; where memory ends; where objects of this match begin; how many bytes they may take."""
PROBING, DEPTH, HELD = 136, 144, 152
"""Whether something is tried; how deep functions call each other in a circle; whether invariants are held."""
TWISTED = 160
"""Which of the numbers of the generator come next."""
MATCH = 168
"""The word of what is known of the match."""
DRAWN, NAMED, STREAMED = 176, 184, 192
"""The words of how often each stream was drawn from at first, of the names of the streams in their order, and of the
numbers of the texts that name them."""
MT, SEEDED = 1024, 4096
"""The 624 numbers of 32 bits of the generator; and what they are before they are seeded."""
KEYS, TEXTS = 8192, 1000
"""The keys of the streams, by the number of the text that names them; how many texts there are at most."""
STATICS = KEYS + 8 * TEXTS
"""Where the tables of a program begin."""
