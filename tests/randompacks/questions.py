"""The table of what asks, or has to be possible, and of simultaneous answers."""

from __future__ import annotations

from randompacks.templates import table

QUESTIONS = table(
    (
        "do:: -quiet",
        """
        [2] choose $n:int in @int* "How much?"  !n

        [1.5] choose $n:int in @sure_int* "How much?"  !n

        [.5] choose $n:int in @sure_int*  !n

        [1] choose $n:int in @int* where @cond<$n> "Which number?"
        otherwise:
          @block  !n:int?

        [.7] choose $n:int in @int* or none "Perhaps?"  !n:int?

        [.4] choose $n:int in @sure_int* "How many?" as "{$n} of them"  !n

        [.4] let $m:int = @int
        choose $n:int in 0..2 "How much of {$m}?"  !n

        [.3] for $p:player in @player*: choose $n:int in @sure_int* "How much for {$p}?"

        [.5] choose $n:int in @int* where @cond<$n> or "not now" "Which?"  !n:int?

        [1] choose $p:player in @player* "Who?"  !p

        [.7] choose $p:player in @player* where @cond<$p> "Who?"
        otherwise:
          @block  !p:player?

        [.5] choose $p:player in others(me) "Whom?"
        otherwise:
          @leaving  !p

        [.4] choose $n:int in @int*, $p:player in @player* where @cond<$n,$p> "Both?"
        otherwise:
          @leaving  !n !p

        [.5] choose 0 to 2 of $n:int in @int* as $k:int* "Which?"  !k

        [.3] choose 0 to 2 of $n:int in @int* as $k:int* "Which of them?" as "number {$n}"  !k

        [.4] choose any number of $n:int in @int* where @cond<$n> as $k:int*  !k

        [.5] choose @small of $p:player in @player* as $k:player* "Who?"
        otherwise:
          @leaving  !k

        [.5] choose 1 to 2 of $n:int in @int* where @cond<$n> as $k:int* "Pay which?"
        otherwise:
          @leaving
        pay sum($k) @counter

        [.4] choose any number of $p:player in @player* as $k:player* "With whom?"
        require size($k) < 2 or @cond<$k>
        pay size($k) @counter

        [.2] for $l:int* in combinations(@sure_int*, 1, 2):
          if @cond<$l>: gain @gained

        [2] choose one "What?":
          "first":
            @option
          "second":
            @option
          otherwise:
            @block

        [1] choose one:
          "only" when @cond:
            @option
          "else" when @cond:
            @option

        [1.5] choose one:
          "some" when @cond:
            @option
          "leave": nothing

        [.6] choose one:
          for $n:int in @int* "number" as "number {$n}":
            @option<$n>
          for $p:player in @player* where @cond<$p> "player":
            @option<$p>
          otherwise: nothing

        [.4] choose one "Which player?":
          for $p:player in @player*:
            @option<$p>
          "nobody": nothing

        [1.5] may "try":
          @option

        [1.5] up to @small times "again":
          @option

        [.4] up to @int times:
          @option

        [.6] pay @due: nothing

        [.7] loop:
          choose one "More?":
            "more":
              @option
            "enough": break

        [.8] pay @due as @tag:
          @block
        """,
    ),
    (
        "do: cards: -quiet",
        """
        [1.5] choose $c:card in @card* "Which card?"  !c

        [1] choose $c:card in @card* where @cond<$c> "Which card?"
        otherwise:
          @block  !c:card?

        [.7] choose $c:card in @card* or none "A card?"  !c:card?

        [.5] choose $c:card in @card* where payable($c.price) "Buy which?"
        otherwise:
          @leaving
        pay $c.price

        [.6] choose 0 to 2 of $c:card in @card* where @cond<$c> as $s:card* "Buy which?"
        pay sum($d.worth for $d:card in $s) @counter
        for $e:card in $s: move $e to hand(me)

        [.4] choose any number of $c:card in hand(me) as $s:card* "Discard which?"
        for $d:card in $s: move $d to deck bottom

        [.4] choose @small of $c:card in @card* as $s:card* "Which ones?"
        otherwise:
          @leaving
        choose $d:card in $s "Which of them?"  !d

        [.9] for $c:card in @card* in any order "Which next?":
          @rounds<$c>

        [.5] choose one "Which?":
          for $c:card in @card* where @cond<$c> "card":
            @option<$c>
          "none": nothing
        """,
    ),
    (
        "do:: -quiet",
        "[.4] for $p:player in @player* in any order:\n  @rounds<$p>\n\n"
        '[.3] for $n:int in @int* where @cond<$n> in any order "Next?":\n  @rounds<$n>',
    ),
    (
        "do: group: -quiet",
        '[1] choose $g:good in @good* "Which good?"  !g\n\n'
        '[.5] choose $g:good in good where have($g) >= @small "Which?"\notherwise:\n  @leaving  !g',
    ),
    (
        "do: designs: -quiet",
        """
        choose $d:design in @design* "Which kind?"  !d

        choose $d:design in distinct($c.design for $c:card in hand(me)) "Show which?"
        otherwise:
          @block  !d:design?

        [1.5] choose $d:design in card_design where payable($d.price) and supply($d) "Buy which?"
        otherwise:
          @leaving
        pay $d.price
        @gap
        let $c:card? = top(supply($d))
        if $c: move $c to hand(me)

        [.5] choose 0 to 2 of $d:design in @design* as $l:design* "Which kinds?"  !l
        """,
    ),
    (
        "do: rings: -quiet",
        '[.7] choose $r:ring in @ring* "Which ring?"  !r\n\n[.5] choose $r:ring in heap or none "Which?"  !r:ring?',
    ),
    ("do: records: -quiet", '[.7] choose $l:lot in @lot* "Which lot?"  !l'),
    ("do: moods: -quiet", '[.6] choose $m:mood in @mood* "Which mood?"  !m'),
    (
        "do: spaces: -quiet",
        '[.7] choose $s:space in @space* "Which space?"  !s\n\n'
        '[.6] choose $s:space in space where not beside($s) "Which space?"\n'
        "otherwise:\n  @leaving\n@gap\nmove @card to beside($s)\n\n"
        '[.3] for $c:card in card:\n  choose $s:space in space "Where?"\n  move $c to beside($s)',
    ),
    (
        "do: tokens: -quiet",
        '[.7] choose $t:token in owned(token) "Which token?"  !t\n[.4] choose $t:token in @token* "Which?"  !t',
    ),
    (
        "do: grid: -quiet",
        '[.8] choose $c:cell in cell where $c.mark == none "Where?"\notherwise:\n  @leaving\n'
        'set $c.mark to me  !c\n\n[.5] choose $c:cell in @cell* "Where?"  !c',
    ),
    (
        "do: grid shapes: -quiet",
        '[.7] choose $l:lay in @lay* "Where does it lie?"  !l\n\n'
        '[.5] choose $l:lay in placements(@shape, cell) or none "Where?"  !l:lay?',
    ),
    (
        "do: grid stack: -quiet",
        '[.6] choose $s:slot in slot where not $s.full "Which slot?"\notherwise:\n  @leaving\nset $s.full to true\n\n',
    ),
    (
        "do: plot: -quiet",
        '[.6] choose $q:plot in @plot* where not $q.sown "Which plot?"\notherwise:\n  @leaving\n'
        "set $q.sown to true\n\n",
    ),
)

HEADS = table(
    (
        "head:: -quiet",
        """
        [3] pay @due
        [1] pay @due and @due
        [1] pay @due as @tag
        [.5] pay @due and @due as @tag
        [1.5] require @cond
        """,
    ),
    ("head: cards: -quiet", '[1] choose $c:card in @card* where payable($c.price) "Which?"\npay $c.price\n\n'),
    ("head: cards: -quiet", "[1] pay @due as craft for @card"),
    ("do: cards: -quiet", "[.3] pay @due as craft for @card"),
    ("head: group: -quiet", '[1] choose $g:good in @good* "Which?"\npay @small $g\n\n'),
    ("head: group: -quiet", '[.6] choose $n:int in @int* "How many?"\npay $n any good\n\n'),
    ("head:: -quiet", '[1] choose $n:int in @int* "How many?"\npay $n @counter\n\n'),
    ("do:: -quiet", "[.5] pay @due\n[.2] pay @due as @tag\n[.05] require @cond"),
    ("ending", "[1] nothing\n[.5] @only\n[2] @leaving"),
    ("leaving:: -together", "[2] stop\n[.7] end match"),
    ("leaving:: loop", "[1.5] break"),
    ("only", "gain @gained\nlose @small @counter"),
)

SECRETS = table(
    (
        "do: secret: -together -quiet",
        """
        [5] simultaneously for $p:player in @asked:
          @answer<$p>
        choose one "Go on?":
          "on": nothing
          "also": nothing

        [1.5] simultaneously for $p:player in @asked where @cond<$p>:
          @answer<$p>
        """,
    ),
    (
        "do: cards: -together -quiet",
        """
        [.8] as @player by @player:
          choose one "What is done?":
            for $d:card in hand(me) "use": set $d.used to true
            "move" when hand(me): move hand(me)[0] to deck
            "neither": nothing
        """,
    ),
    ("do:: -together -quiet", "[.4] as @player by @player:\n  @decided"),
    ("asked", "[3] players\n[1] others(me)\n[.5] turn_order(me)"),
    (
        "secret_do: secret",
        """
        [2] choose $n:int in 0..2 "How much?"
        set bid to $n

        [1] choose one "Really?":
          "yes": gain 1 bid
          "no": set bid to 0

        [1] choose $n:int in @int* or none "How much?"
        stop unless $n
        gain $n bid

        [1] choose one "Secretly?":
          "bid": gain 1 bid
          "shown": gain @gained
        """,
    ),
    (
        "answer: secret",
        """
        [3] choose $n:int in 0..2 "How much?"
        set bid to $n

        [1] choose one "Secretly?":
          "bid": gain 1 bid
          "wait": nothing

        [1] choose one "Secretly?":
          "shown":
            @block
          "wait": nothing

        [1] choose $n:int in @sure_int* "How much?"
        @block<$n>

        [1] choose $n:int in 1..2 "How many?"
        gain $n fate
        @gap<$n>
        """,
    ),
    (
        "answer: secret cards purse",
        """
        [2] choose $c:card in purse(me) "Which of yours?"
        otherwise: nothing
        @gap

        [1.5] choose $c:card in @card* or none "Which?"
        if $c: move $c to purse(me)

        [1] choose one "Take it?":
          "take": move @card to purse(me)
          "leave": nothing

        [1] choose $c:card in purse(me) or none "Which?"
        if $c: move $c to @secret_place
        """,
    ),
    (
        "answer: secret fields",
        'choose $n:int in 0..2 "What is wished?"\nset wish to $n\n\n'
        'choose $q:player in others(me) "Who is it?"\notherwise: nothing\nif $q: set rival to $q',
    ),
    (
        "answer: secret records",
        'choose $l:lot in @lot* "Which lot?"\nset vow to $l\n\nchoose $l:lot in lot where @cond<$l>\notherwise: nothing\n@gap',
    ),
    ("secret_place", "purse(me)\npurse(@player)\nhand(me)\ndeck"),
)
