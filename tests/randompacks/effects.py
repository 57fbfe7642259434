"""The table of effects, by what the pack must have and where they may stand."""

from __future__ import annotations

from randompacks.templates import table

ITEMS = table(
    ("gained", "[3] @small @counter\n[1] @int @counter\n[.7] 1 @table"),
    ("due", "[4] @small @counter\n[1] @int @counter"),
    ("gained: group", "[1] 1 @good"),
    ("due: group", "[1.5] @small any good\n[1] 1 @good\n[.4] @int any good"),
    ("gained: moods", "1 tally(@mood)"),
    ("due: moods", "[.7] 1 tally(@mood)"),
    ("gained: negative", "1 debt"),
    ("gained: designs", "1 taken(@design)"),
    ("due: designs", "[.5] 1 taken(@design)\n@design.price"),
    ("gained: nouns", "1 point\n@small points\n[.5] @int points"),
    ("due: nouns", "1 point\n@small points"),
    ("due: negative", "[.5] 1 debt"),
    ("due: cards", "[1.5] @card.price"),
    ("gained: secret", "1 bid\n[.5] 1 fate"),
    ("tag", "fee\ntoll"),
)

PLAIN = table(
    ("do", "[.3] gain min(@small,\n  @small) @counter\n\n"),
    (
        "do",
        """
        [3] gain @gained
        [.7] gain @gained and @gained
        [.6] gain @gained for @player
        [2.5] lose @small @counter
        [.5] lose @int @counter for @player
        [1] set @counter to @tiny
        [.4] set @counter(@player) to @tiny
        [.5] set @counter to @int
        [.3] set @table to @tiny
        [1] nothing
        [.3] say "so" @int
        [.3] say "well"
        """,
    ),
    ("do:: -together", "[.15] end match\n[.5] if @cond: end match"),
    ("do:: -together -quiet", '[.4] pause "wait"'),
    ("do:: -together", "[1] stop if @cond\n[1] stop unless @cond\n[.3] if @cond: stop"),
    ("do:: -together", "[.7] stop unless @cond  # promised"),
    ("do:: loop", "[1.5] if @cond: break\n[.1] break"),
    ("do:: -together -quiet", "[.5] pass to @player"),
    ("do: group: -quiet", "[.8] gain @small any good"),
    ("do: moods", "[.5] set tally(@mood) to @tiny\n[.3] lose 1 tally(@mood)"),
    ("do: negative", "[.7] lose @small debt\n[.4] set debt to @int"),
    ("do: secret", "[.7] set bid to @tiny\n[.4] gain 1 fate\n[.3] set bid(@player) to @int"),
    (
        "do: cards",
        """
        [1.5] move @card to hand(me)
        [.7] move @card to hand(@player)
        [1] move @card to deck
        [.6] move @card to deck bottom
        [.6] move @card to box
        [1.2] swap @card with @card
        [1] draw 1 from deck to hand(me)
        [.5] draw @int from deck to hand(@player)
        [.4] draw @small from hand(me) to deck
        [.4] reveal @card to @player
        [.3] reveal @card to others(me)
        [.7] set @card.used to true
        [.4] set @card.used to @bool
        [.6] set @card.level to @tiny
        [.4] set @card.level to min(2, max(0, @int))
        [.15] set @card.level to @int
        [.5] set @card.holder to @player
        [.3] set @card.holder to none
        [.4] set @card.omen to @bool
        [.3] set @card.scar to @cond
        """,
    ),
    ("do: cards: -inert", "[.5] do @card.act\n[.4] do @card.act as @card\n[.25] do @card.acts[0]"),
    ("do:: -apart", "[1.2] @call\n[.6] let $n:int = @giver  !n\n[.4] let $c:card? = @finder  !c"),
    ("do: cards chance", "[1.5] shuffle deck\n[.5] shuffle hand(me)"),
    ("do: row", "[1.5] refill shelf from deck\n[1.2] slide shelf\n[.1] move shelf(0) to hand(me)"),
    ("do: spot", "[.8] if not desk: move @card to desk\n[.25] move @card to desk\n[.4] move @card to pouch(@player)"),
    ("do: purse", "[.8] move @card to purse(me)\n[.4] draw 1 from deck to purse(me)"),
    (
        "do: spaces",
        "[.5] if not beside(@space): move @card to beside(@space)\n[.2] move @card to beside(@space)\n"
        "[.5] gain 1 rent(@space)",
    ),
    (
        "do: tokens",
        "set @token.turned to @bool\n[.7] move @token to pool(@player)\n[.4] set @token.power to @small\n[.4] set @token.aim to @tiny\n"
        "[.4] draw 1 from pool(me) to pool(@player)",
    ),
    (
        "do: rings",
        "move @ring to heap\n[.7] if not finger(me): move @ring to finger(me)\n[.3] move @ring to finger(@player)\n"
        "set @ring.bent to @cond\n[.7] for $r:ring in @ring*: move $r to heap\n[.4] swap @ring with @ring\n"
        "[.5] let $r:ring? = @ring?  !r",
    ),
    (
        "do: grid",
        "set @cell.mark to me\n[.5] set @cell.mark to none\n[.5] set @cell.height to @tiny\n"
        "[.3] for $c:cell in @cell*: set $c.mark to @player",
    ),
    (
        "do: designs",
        """
        move @card to supply(@design)
        [.7] for $c:card in @card*: move $c to supply($c.design)
        [.7] draw @small from supply(@design) to hand(me)
        [.7] set @card.wish to @design?
        [.5] set @card.wish to @design
        [.5] let $c:card = @card  !c
        [.5] let $d:design = @design  !d
        [.5] let $d:design? = @design?  !d
        [.5] for $d:design in @design*: gain 1 taken($d)
        """,
    ),
    ("do: designs chance", "[.5] random $d:design in @design*  !d:design?\n[.3] shuffle supply(@design)"),
    ("do: lasting", "gain 1 brief for @player\n[.7] set storm to @tiny\n[.5] lose 1 brief"),
    ("do: lasting cards", "[.7] set @card.warm to @tiny\n[.7] set @card.guest to @player?"),
    ("do: lasting fields", "[.7] set calm_now to @bool\nset heard to @player*"),
    (
        "do: fields",
        "set mode to @tiny\n[.2] set mode to @int\nset dusk to @bool\n[.7] set last to @player?\n"
        "[.7] set last to @player\nset runs to @int*\n[.7] set past to {@int*, runs}\n"
        "[.4] if last: set mode to number(last)\n[.6] set rival to @player?\n[.5] set @player.rival to @player\n"
        "[.6] set wish to @tiny\n[.4] set @player.wish to @tiny\n[.4] set met to @player*\n[.4] if rival: set rival.wish to 0",
    ),
    (
        "do: records",
        "set deal to @lot\n[.5] set deal to @lot?\nset vow to @lot\n[.5] set @player.vow to @lot\n[.6] set vow.size to @tiny\n"
        "[.5] set both.two.dear to @bool\n[.4] set both to pair(@lot, vow)\n[.4] if deal: set deal.size to @tiny\n"
        "[.5] gain 1 marked(@lot)\n[.5] for $l:lot in @lot*: gain 1 marked($l)",
    ),
    ("do: grid shapes", "[.8] for $c:cell in @lay.cells: set $c.mark to me"),
    ("do: grid stack", "set @slot.full to true"),
    ("do: plot", "[.6] for $q:plot in @plot*: set $q.sown to true"),
    ("lay: grid shapes", "[.4] (@lay? or bar_a1_0)\nbar_a1_0\n[.3] cell_placement[0]"),
)

RANDOM = table(
    (
        "do: chance",
        "[1] random $n:int in @sure_int*  !n\n[.5] random $p:player in players  !p\n"
        "[.5] random $n:int in @int*  !n:int?",
    ),
    (
        "do: chance cards",
        "[1] random $c:card in @card*  !c:card?\n[.5] random $c:card in card  !c\n"
        "[.4] random $c:card in card where @cond<$c>  !c:card?",
    ),
    ("do: chance moods", "[.5] random $m:mood in mood  !m"),
)

NAMING = table(
    (
        "do: cards",
        """
        [.4] let $c:card = none
        if @cond: set $c to @card  !c:card?

        [.3] let $s:card* = []
        for $d:card in @card*: set $s to $s + [$d]  !s
        """,
    ),
    (
        "do",
        "[1.5] let $n:int = @int  !n\n[.4] let $p:player = @player  !p\n[.3] let $q:player? = @player?  !q\n"
        "[.3] let $x:bool = @bool  !x\n[.3] let $k:int* = @int*  !k",
    ),
    ("do: cards", "[.7] let $c:card? = @card?  !c\n[.4] let $c:card = @card  !c\n[.3] let $s:card* = @card*  !s"),
    ("do: group", "[.4] let $g:good? = @good?  !g"),
    ("do: spaces", "[.4] let $s:space? = @space?  !s"),
    ("do: grid", "[.4] let $c:cell? = @cell?  !c"),
)

BLOCKS = table(
    (
        "do",
        """
        [2] if @cond:
          @block

        [1] if @cond:
          @block
        else:
          @block

        [.5] if @cond:
          @block
        elif @cond:
          @block
        else:
          @block

        [1] as @player:
          @block

        [1] repeat @small times:
          @rounds

        [.3] repeat @int times:
          @rounds

        [1] for $p:player in @player*:
          @rounds<$p>

        [.5] for $p:player in @player* where @cond<$p>:
          @rounds<$p>

        [.7] for $p:player in players: as $p:
          @rounds<$p>

        [.5] for $n:int in @int*:
          @rounds<$n>

        [.3] for $n:int in @int*, $p:player in players where @cond<$n,$p>:
          @rounds<$n>

        [.6] loop:
          if not ($c=counter >= @small): break
          lose 1 $c

        [.4] let $n:int = @digit
        loop:
          if $n <= 0: break
          @rounds<$n>
          set $n to $n - 1
        """,
    ),
    (
        "do: cards",
        """
        [.8] for $c:card in @card*:
          @rounds<$c>

        [.4] for $c:card in @card* where @cond<$c>:
          @rounds<$c>

        [.4] let $c:card? = @card?
        if $c:
          @block<$c:card>
        else:
          @block

        [.3] let $c:card? = @card?
        stop unless $c
        @block<$c:card>
        """,
    ),
    ("do: grid", "[.5] for $c:cell in @cell*: set $c.height to 1"),
)
"""What holds blocks; loops end by themselves, or ask in every round."""
