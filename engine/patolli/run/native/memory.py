"""Where things lie that have a fixed place in memory: addresses, of 8 bytes each where nothing else is said."""

BUDGET = 64
"""The four numbers of the step budget, see ``kernel.budget``."""
WHOLE = 96
"""How many parts of the budget there are behind the first one."""
HEAP, TOP, FLOOR, LIMIT = 104, 112, 120, 128
"""Where the next object goes; where memory ends; where objects of this match begin; how many bytes they may take."""
PROBING, DEPTH = 136, 144
"""Whether something is tried; how deep functions call each other in a circle."""
DUE = 152
"""Which invariants are to be evaluated when the next question comes up, as bits; see ``compiler.affected``."""
TWISTED = 160
"""Which of the numbers of the generator come next."""
MATCH = 168
"""The word of what is known of the match."""
DRAWN, NAMED, STREAMED = 176, 184, 192
"""The words of how often each stream was drawn from at first, of the names of the streams in their order, and of the
numbers of the texts that name them."""
SPELLED = 200
"""The word of the letters of the streams, by the number of the text that names them."""
ARENA, ARENA_END = 208, 216
"""Where what a search remembers goes next, and where that has to end; a collection leaves it where it is."""
BASE = 224
"""The word of the match from which a search begins."""
DONE = 232
"""How many simulations of a batch are done."""
SEARCHER, TREES, CERTAIN, TOGETHER, OPPOSED, SCORED = 256, 264, 272, 280, 288, 296
"""Of the game that is searched: see ``players.search.matches`` and ``worth``; how many trees there are."""
EXPLORATION, SCORING, TURNS = 304, 312, 320
"""How much is tried that does not look best, whether scores are added up, and turns after which a simulation ends."""
LEADING = 376
"""Where the square roots of the logarithms of whole numbers stand, from 0 on, which has none."""
SIMULATIONS = 384
"""How many simulations there were."""
RECORDS, RECORDS_SIZE, RECORDS_USED = 392, 400, 408
"""What answers came to, wherever they were given: a table of addresses, its size, and how many there are."""
STEPS_AT, MOVES_AT, LATE_AT, STEPS_MADE, MOVES_MADE, LATE_MADE = 416, 424, 432, 440, 448, 456
"""What the simulation that is on its way has done: where that is written, and how much."""
LAST_SEAT, TURNS_TAKEN, IS_NEW = 464, 472, 480
"""Who was asked last, how often that became another player, and whether the answer was never tried before."""
CALLED = 624
"""Which seats were called upon since the last answer: a bit for each, of 64 the same one."""
ROOTS, NODES, SEEN, SPREAD, SCALE = 488, 496, 504, 512, 520
"""Where a number for each seat stands: nodes, and what each got: the mean, how far it lies apart, the proofs."""
PAYOFFS, OUTCOME, MEASURED, LOWS, HIGHS = 528, 536, 544, 552, 560
"""The same, of what is computed at the moment."""
LEVELS = 648
"""And where stands how many are behind each seat by what was compared so far."""
PLAYERS = 616
"""How many seats there are."""
LEADS, VALUES = 568, 592
"""How far seats were ahead by score, and by what the pack says a match is worth: a number, a mean, squares."""
LONGEST = 8192
"""How many answers of one simulation are remembered at most."""
MT, SEEDED = 1024, 4096
"""The 624 numbers of 32 bits of the generator; and what they are before they are seeded."""
SHA, SHA_BEGUN, SHA_STATE, SHA_WORDS = 6656, 6912, 6944, 6976
"""The 64 numbers of SHA-256, the 8 with which it begins, the 8 as they are, and the 64 words of a block."""
ACTIONS_AT, STATUS_AT, SELECTED_AT, CHOSEN_AT, SEEDS_AT, SEEDS_USED_AT, STREAM_KEYS_AT = range(7296, 7352, 8)
"""Of a batch, where one thing per environment stands: the action to take, how the match stands, whether to reset it,
the option that is taken, seeds of the next matches, how many were used, and the keys of the streams of the match."""
ACTORS_AT, COUNTS_AT, LEGAL_AT, MASKS_AT, SEEN_AT, FINAL_ACTORS_AT, FINAL_SEEN_AT = range(7352, 7408, 8)
"""The same of what is written: who decides, how many legal actions there are, the first of them, masks, observations;
and of a match that ended in a step in which the next one began: who acted last, and what that player observes."""
REWARD_AT, REWARDS_AT, TERMINATED_AT, TRUNCATED_AT, NOTED = range(7408, 7448, 8)
"""The reward of the player who acted, those of all players, and whether the match ended or was cut off in this step;
and what was noted in a call, as bits."""
MASK_SIZE, SEEN_SIZE, LEGAL_SIZE, SEEDS_KEPT, REWARDED_SEATS, STEP_LIMIT = range(7448, 7496, 8)
"""Bytes of a mask and of an observation, legal actions that are listed at most, seeds per environment, players with a
reward, and steps until a match is cut off."""
RESET_MODE, REFUSES_ILLEGAL, REWARD_KIND, REWARD_WORDS = range(7496, 7528, 8)
"""What comes after the end, whether an illegal action is an error, which rewards are given, and their table."""
OBSERVERS, ENCODERS, BLOCK_NUMBER, EXTRAS, ZEROS = range(7528, 7568, 8)
"""The tables of a batch, see ``support.batch_observers`` and ``batch_actions``: how seats observe, the numbers of
actions, how many blocks there are, what is computed for an observation, and as many zeros as the largest needs."""
EXTRA_AT, HOLDS_AT, OPEN_AT, ASTRAY_AT = range(7568, 7600, 8)
"""Where these are computed: the extended state, the conditions, which slots are open, and what is never read."""
KEYS, TEXTS = 8192, 1000
"""The keys of the streams, by the number of the text that names them; how many texts there are at most."""
STATICS = KEYS + 8 * TEXTS
"""Where the tables of a program begin."""
