"""The table of what is tested first and relied upon afterwards, with something in between that may undo it."""

from __future__ import annotations

from randompacks.templates import table

SAID = table(
    (
        "do",
        """
        [.3] if number(@player) < 1: set still to 0
        [.3] if @player not in players: set still to 0
        [.3] if seats >= 3: gain 1 @counter for @seat
        """,
    ),
    ("do: cards", "[.3] if number(@card) < 1: set still to 0"),
    (
        "do: cards",
        """
        [.3] let $c:card? = @card?
        if $c:
          if $c not in card: set still to 0
        """,
    ),
    (
        "do: row",
        """
        let $c:card? = @spot_of_row
        if $c:
          if $c not in shelf: set still to 0
        """,
    ),
    ("spot_of_row: row", "shelf(0)\nshelf(1)\nshelf(2)\nshelf(@int)"),
    ("do: chance cards", "random $c:card in card\nif number($c) < 1: set still to 0\n\n"),
    ("do: chance spaces", "random $c:space in space\nif number($c) < 1: set still to 0\n\n"),
    ("do: moods", "[.3] if number(@mood) < 1: set still to 0"),
)
"""What changes nothing where everything is what it is said to be."""

TESTED = table(
    (
        "do:: -quiet",
        """
        [2] if $c=counter >= $k=small:
          @gap
          pay $k $c

        [1] if $c=counter > @digit:
          @gap
          pay 1 $c

        [.7] stop unless $c=counter >= $k=small
        @gap
        pay $k $c

        [.7] stop unless $c=counter >= $k=small  # promised
        @gap
        pay $k $c

        [.4] stop unless @cond  # promised
        @gap
        pay @due

        [.6] if not ($c=counter >= $k=small): @ending
        else:
          @gap
          pay $k $c

        [.6] if $c=counter >= $k=small and $d=counter >= $j=small:
          pay $k $c
          @gap
          pay $j $d

        [.7] if $c=counter >= 2:
          pay 1 $c
          @gap
          pay 1 $c

        [.8] gain $k=small $c=counter
        @gap
        pay $k $c

        [.8] if $c=counter >= 1:
          choose $n:int in @int* where @cond<$n> "Which?"
          otherwise:
            @block
          pay 1 $c

        [.8] if $c=counter >= 1:
          up to 2 times "again":
            choose $n:int in {1, 2} or none "Which?"
            pay 1 $c
            @gap

        [.7] if $c=counter >= 1:
          choose $n:int in 1..$c "How many?"
          @gap
          pay $n $c

        [.5] for $n:int in 1..3 where $c=counter >= $n:
          @gap
          pay $n $c

        [.5] loop:
          if $c=counter < $k=small: break
          pay $k $c

        [.5] let $n:int = min(@counter, @small)
        @gap
        if $n > 0:
          choose $k:int in 1..$n "How many?"
          lose $k @counter

        [.5] if $c=counter >= 1: as @player:
          @gap
          pay 1 $c

        [.5] if @int > 0:
          let $n:int = @int
          if $n != 0: gain @int div $n @counter

        [.4] if $c=counter > 0:
          @gap
          gain @int div $c @counter

        [.4] if $c=counter > 0:
          @gap
          choose $n:int in 1..$c "Which?"  

        [.4] gain 1 $c=counter
        @gap
        choose $n:int in 1..$c "Which?"

        [.6] if @player != me:
          @gap
          choose $p:player in others(me) "Whom?"

        [.4] may "pay":
          @gap
          pay 1 @counter

        [.5] let $n:int = @int
        if $n >= 1 and $n <= $c=counter:
          @gap
          pay $n $c

        [.4] let $l:int* = @int*
        if $l:
          @gap
          choose $n:int in $l "Which?"

        [.4] let $l:int* = @int*
        if size($l) > 1:
          @gap
          gain $l[1] @counter
        """,
    ),
    (
        "do:: -quiet -apart",
        """
        [2] if can(@call):
          @gap
          @call

        [.7] stop unless can(@call)
        @call

        [.7] choose one:
          "yes" when can(@call):
            @gap
            @call
          "no": nothing
        """,
    ),
    (
        "do: cards: -quiet",
        """
        [1] if hand(me):
          @gap
          choose $c:card in hand(me) "Which?"
          move $c to deck

        [.7] stop unless hand(me)
        @gap
        choose $c:card in hand(me) "Discard which?"
        move $c to box

        [.5] if any($c:card in hand(me) where $c.used):
          @gap
          choose $d:card in hand(me) where $d.used "Which?"
          set $d.used to false

        [.5] if count($c:card in @card* where $c.level > 0) > 0:
          @gap
          choose $d:card in card where $d.level > 0 "Which?"

        [.5] if payable($c=card.price):
          @gap
          pay $c.price

        [.2] if top(deck):
          @gap
          move top(deck) to hand(me)

        [.5] stop unless top(deck)
        move top(deck) to @player_place

        [.15] if deck:
          @gap
          move top(deck) to hand(me)

        [.15] if $l=card*:
          @gap
          move first($l) to hand(me)

        [.5] gain 1 @counter
        choose $n:int in 1..@card.worth "How many?"
        gain $n @counter

        [.4] gain 1 @counter
        choose $n:int in 1..min(@card.steps) "How many?"

        [.4] gain 1 @counter
        choose $n:int in 0..@card.risk "How many?"

        [.4] let $c:card? = @card?
        if $c:
          @gap
          if $c.holder: gain 1 @counter for $c.holder

        [.4] stop unless size($l=card*) == 1  # promised
        @gap
        move only($l) to hand(me)

        [.4] stop unless $l=card*  # promised
        @gap
        choose $c:card in $l "Which?"

        [.3] for $c:card in @card*:
          if payable($c.price):
            @gap
            pay $c.price
        """,
    ),
    ("player_place: cards", "hand(me)\nhand(@player)"),
    (
        "do: spot: -quiet",
        """
        [1] if not desk:
          @gap
          move @card to desk

        [.2] if desk:
          @gap
          move desk to hand(me)

        [.6] if desk: move desk to hand(me)

        [.5] if not pouch(me): as @player:
          move @card to pouch(me)
        """,
    ),
    (
        "do: row: -quiet",
        """
        [.3] if shelf(0):
          @gap
          move shelf(0) to hand(me)

        [.7] if shelf(0): move shelf(0) to hand(me)

        [.5] for $i:int in 0..1:
          if shelf($i): move shelf($i) to deck
        """,
    ),
    (
        "do: group: -quiet",
        """
        [1] if $g=member >= 1:
          @gap
          pay 1 any good

        [1] for $g:good in good:
          if have($g) > 0:
            @gap
            pay 1 $g

        [.7] choose $g:good in good where have($g) >= $k=small "Which?"
        otherwise:
          @leaving
        @gap
        pay $k $g

        [.5] gain 1 @counter
        for $g:good in good:
          choose $n:int in 0..have($g) "How many?"
          lose $n @counter
        """,
    ),
    (
        "do: chance",
        """
        [.5] if $c=counter > 0:
          @gap
          random $n:int in 1..$c
          if $n < 1: set still to 0
          gain $n @counter

        [.4] lose 2 $c=counter
        random $n:int in 1..$c
        if $n < 1: set still to 0
        """,
    ),
)
