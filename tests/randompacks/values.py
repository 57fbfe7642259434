"""The table of expressions, by sort and by what the pack must have."""

from __future__ import annotations

from randompacks.templates import table

VALUES = table(
    ("small", "[3] 1\n[1.3] 2\n[.2] 3"),
    ("tiny", "0\n[1.5] 1\n2"),
    ("digit", "[.6] 0\n[2] 1\n[2] 2\n3"),
    (
        "int",
        """
        [3] @digit
        [4] @counter
        [1.5] @counter(@player)
        [.7] @player.@counter
        @table
        [.7] (@int + @int)
        [.7] (@int - @int)
        [.4] @int * @int
        [.4] (@int + -@small)
        [.5] (@int div @small)
        [.25] @int div @int
        [.5] (@int mod @small)
        [.2] @int mod @int
        [.6] abs(@int)
        [.7] min(@int, @int)
        [.7] max(@int, @int)
        [.4] max(1, @int)
        [.4] (@int if @cond else @int)
        [.4] seats
        [.4] size(@player*)
        [.4] count($p:player in @player* where @cond<$p>)
        [.4] sum(@int<$p> for $p:player in @player*)
        [.3] min(@int<$p> for $p:player in @player*)
        [.3] max(@int<$p> for $p:player in @player* where @cond<$p>)
        [.2] sum(@int<$p,$q> for $p:player in players, $q:player in others($p) where @cond<$p,$q>)
        [.4] number(@player)
        [.2] position(@player*, @player)
        [.3] (@int*)[@digit]
        [.15] (@int*)[@int]
        [.3] max(@int*)
        [.3] (max(@int<$p> for $p:player in @player* where @cond<$p>) or @digit)
        [.2] count($p:player in @player*, $q:player in others($p) where @cond<$p,$q>)
        [.3] min(@int*)
        [.3] sum(@int*)
        [.2] count(@int*)
        [.3] (number(only($s=player*)) if size($s) == 1 else @digit)
        [.1] only(@int*)
        """,
    ),
    (
        "player",
        """
        [4] me
        [2] next(me)
        [.5] next(@player)
        [.7] previous(me)
        [.7] @seat
        [.3] (@player? or @player)
        [.3] (@player if @cond else @player)
        [.3] players[0]
        [.15] (@player*)[@digit]
        """,
    ),
    (
        "player*",
        """
        [4] players
        [2] others(me)
        [.5] others(@player)
        [1] turn_order(me)
        [.4] turn_order(@player)
        [1] [$p:player in players where @cond<$p>]
        [.3] reverse(@player*)
        [.3] rotate(players, @int)
        [.3] take(players, @int)
        [.3] sorted($p:player in players by @int<$p>)
        [.3] {@player, @player}
        [.3] (@player* + @player*)
        [.3] until($p:player in @player* where @cond<$p>)
        [.3] through($p:player in @player* where @cond<$p>)
        """,
    ),
    (
        "player?",
        """
        first($p:player in @player* where @cond<$p>)
        [.8] lowest($p:player in @player* by @int<$p>)
        [.8] highest($p:player in @player* where @cond<$p> by @int<$p>)
        [.4] first(@player*)
        """,
    ),
    (
        "bool",
        """
        [4] @counter >= @small
        [2] @counter > @int
        [1] @counter(@player) > 0
        [1] @int < @int
        [1] @int == @int
        [1] @int != @int
        [.7] @int <= @int
        [.6] @digit <= @int <= @small
        [1.5] wood > 0
        [1] gold >= 1
        [.7] gold > wood
        [.7] round < 2
        [.06] true
        [.03] false
        [1] (@cond and @cond)
        [1] (@cond or @cond)
        [.7] not @bool
        [.7] @player == @player
        [.4] @player != me
        [.3] @player in @player*
        [.4] @player not in @player*
        [.3] @int in @int*
        [.4] any($p:player in @player* where @cond<$p>)
        [.3] all(@bool<$p> for $p:player in @player*)
        [.2] all($p:player in @player* where @cond<$p>)
        [.8] @player? != none
        [.6] @player? == none
        [.4] any(@player*)
        [.2] (@bool if @cond else @bool)
        """,
    ),
    ("cond", "[6] @bool\n[.3] @player*\n[.3] @player?"),
    (
        "int*",
        """
        [2] @digit..@int
        [2] 1..@int
        [1] {@int, @int}
        [.5] {@digit}
        [.3] [@digit, @int]
        [.2] [{@digit, @int}, [@int, @int]][@small - 1 if @cond else 0]
        [.5] [@int<$p> for $p:player in @player*]
        [.4] distinct(@int<$p> for $p:player in @player* where @cond<$p>)
        [.3] (@int* if @cond else [])
        [.3] distinct(@int*)
        [.3] sorted(@int*)
        [.3] reverse(@int*)
        [.3] take(@int*, @int)
        [.1] (first(combinations(@int*, 1, @digit)) or {@int})
        [.3] [$n:int in @int* where @cond<$n>]
        """,
    ),
    ("sure_int*", "1..@small\n0..@digit\n{@int, @int}\n[.5] 1..max(1, @int)\n[.5] 0..max(0, @int)\n1..seats"),
)

GROUPS = table(
    ("int: group", "[1.5] have(@good)\n[.5] have(@player, @good)\n[.4] sum(have($g) for $g:good in good)"),
    ("good: group", "@member"),
    ("good*: group", "[2] good\n[$g:good in good where have($g) > 0]"),
    ("good?: group", "first($g:good in good where @cond<$g>)"),
    ("bool: group", "[1.5] have(@good) >= @small\n[.4] @good == @good\n[.3] @good in @good*"),
    (
        "int: records",
        "[2] @lot.size\n[.5] marked(@lot)\n[.4] count(lot)\n[.4] number(@lot)\n[.3] marked(@player, @lot)",
    ),
    (
        "lot: records",
        "[3] lot(@tiny, @bool, @player)\n[2] vow\n[.7] both.one\n[.7] @player.vow\n[.2] lot(@int, @bool, @player)\n"
        "[.5] (deal or vow)\n[.4] pair(@lot, @lot).two\n[.3] lot[0]",
    ),
    ("lot?: records", "[2] deal\nfirst($l:lot in @lot* where @cond<$l>)\n[.5] highest($l:lot in lot by $l.size)"),
    (
        "lot*: records",
        "[1.5] lot\n[$l:lot in lot where @cond<$l>]\n[lot($n, true, me) for $n:int in 0..2 where @cond<$n>]",
    ),
    ("bool: records", "@lot.dear\n@lot == @lot\n[.6] @lot in @lot*\n[.5] any($l:lot in @lot* where @cond<$l>)"),
    ("player?: records", "@lot.whose"),
    ("int: moods", "tally(@mood)\n[.5] tally(@player, @mood)\n[.4] number(@mood)\n[.4] count(mood)"),
    ("mood: moods", "[2] calm\n[2] wild\n[.3] mood[0]\n[.3] (@mood? or calm)"),
    ("mood*: moods", "[2] mood\n[$m:mood in mood where @cond<$m>]\n[.4] rotate(mood, @int)"),
    ("mood?: moods", "first($m:mood in @mood* where @cond<$m>)\n[.5] highest($m:mood in mood by @int<$m>)"),
    ("bool: moods", "[1.5] tally(@mood) > 0\n@mood == calm\n[.4] any($m:mood in @mood* where @cond<$m>)"),
    ("int: negative", "[1.5] debt\n[.5] debt(@player)"),
    ("int: secret", "[1.5] bid\n[.5] fate"),
    ("int: constants", "[.5] prices[0]\n[.5] prices[@digit]\n[.7] most\n[.3] grids[0][1]"),
    ("mood*: moods", "[.4] ways(@mood)\n[.3] reachable(@mood, ways)\n[.3] path(@mood, @mood, ways)"),
    ("bool: moods", "[.4] distance(@mood, @mood, ways) == @digit"),
    ("int: moods", "[.4] (distance(@mood, @mood, ways) or @digit)"),
    ("int*: constants", "prices"),
    ("int: options", "level"),
    (
        "int: fields",
        "[1.5] mode\n[.8] wish\n[.5] @player.wish\n[.4] size(past)\n[.3] sum(@int<$n> for $l:int* in past, $n:int in $l)",
    ),
    ("bool: fields", "[1.5] dusk\n[.4] last == @player\n[.4] @int* in past\n[.3] mode > 1"),
    ("player?: fields", "[1.5] last\n[.8] rival\n[.5] @player.rival"),
    ("player*: fields", "[.5] met\n[.3] @player.met"),
    ("int*: fields", "[1.5] runs\n[.5] (first(past) or {})\n[.5] table[0].runs"),
    ("bool: options", "style == short\n[.5] level > 0"),
)

CARDS = table(
    (
        "card: cards",
        """
        [2] @piece
        [.4] (@card? or @card)
        [.3] (@card if @cond else @card)
        [.15] (@card*)[@digit]
        """,
    ),
    (
        "card?: cards",
        """
        [2] top(deck)
        [1] top(hand(me))
        [1] first($c:card in @card* where @cond<$c>)
        [.5] first(@card*)
        [.5] lowest($c:card in @card* by @int<$c>)
        [.5] highest($c:card in @card* where @cond<$c> by @int<$c>)
        """,
    ),
    (
        "card*: cards",
        """
        [4] hand(me)
        [1] hand(@player)
        [2] deck
        [2] card
        [1] [$c:card in @card* where @cond<$c>]
        [.3] sorted($c:card in @card* by @int<$c>)
        [.3] sorted($c:card in @card* where @cond<$c> by @int<$c>)
        [.3] distinct(@card*)
        [.3] reverse(@card*)
        [.3] take(@card*, @int)
        [.3] rotate(@card*, @int)
        [.3] {@card, @card}
        [.3] [@card]
        """,
    ),
    (
        "int: cards",
        """
        [1] size(hand(me))
        [.8] @card.esteem
        [.6] size(@card*)
        [.5] count(@card*)
        [.7] count($c:card in @card* where @cond<$c>)
        [.6] sum(@int<$c> for $c:card in @card*)
        [.5] min(@int<$c> for $c:card in @card*)
        [.5] max(@int<$c> for $c:card in @card* where @cond<$c>)
        [2] @card.worth
        [1.5] @card.level
        [.6] @card.risk
        [.4] number(@card)
        [.4] position(@card*, @card)
        [.4] @card.steps[0]
        [.4] max(@card.steps)
        [.4] min(@card.steps)
        """,
    ),
    (
        "int*: cards",
        "@card.steps\n[.7] [@int<$c> for $c:card in @card*]\n[.5] distinct(@int<$c> for $c:card in @card*)",
    ),
    (
        "bool: cards",
        """
        [1] size(@card*) > 0
        [1.5] @card.used
        [.4] @card.omen
        [.4] @card.scar
        [.7] @card.holder == @player
        [.7] @card.holder == none
        [.7] @card in hand(me)
        [.4] @card not in @card*
        [.5] any($c:card in @card* where @cond<$c>)
        [.4] all(@cond<$c> for $c:card in @card*)
        [1] payable(@card.price)
        [.5] @card == @card
        [.5] @card.design == plain
        [.5] @card? != none
        [.3] @card.level > @digit
        """,
    ),
    ("cond: cards", "hand(me)\n[.6] deck\n[.5] @card*\n[.6] @card?"),
    ("player?: cards", "@card.holder\n[2.5] place_of(@card, hand)"),
    ("card*: row", "shelf"),
    ("card?: row", "shelf(0)\n[.5] shelf(1)\n[.3] shelf(@int)"),
    ("card?: spot", "[1.5] desk\npouch(me)\n[.5] pouch(@player)"),
    ("cond: spot", "desk\n[.5] pouch(me)"),
    ("design: designs", "plain\ndear\nodd\n[2] @card.design\n[.4] (@design? or plain)\n[.3] card_design[0]"),
    ("design?: designs", "@card.wish\nfirst($d:design in @design* where @cond<$d>)\n[.4] place_of(@card, supply)"),
    (
        "design*: designs",
        """
        [2] card_design
        [1.5] distinct($c.design for $c:card in @card*)
        [$d:design in @design* where @cond<$d>]
        [.4] sorted($d:design in card_design by @int<$d>)
        [.4] until($d:design in card_design where @cond<$d>)
        """,
    ),
    ("card*: designs", "[1.5] supply(@design)\n[.5] [$c:card in @card* where $c.design == @design]"),
    ("card?: designs", "[.7] top(supply(@design))"),
    (
        "int: designs",
        """
        [1.5] taken(@design)
        [.4] taken(@player, @design)
        [1] size(supply(@design))
        [1] @design.worth
        [.4] number(@design)
        [.4] sum(taken($d) for $d:design in @design*)
        [.3] max($d.worth for $d:design in @design*)
        """,
    ),
    (
        "bool: designs",
        "[1] @design == @design\n[.7] payable(@design.price)\n[.6] @card.wish == @design\n[.6] @design in @design*\n"
        "[.6] supply(@design)\n[.5] any($d:design in @design* where @cond<$d>)",
    ),
    ("int: lasting", "[.6] brief(@player)"),
    ("int: lasting cards", "@card.warm"),
    ("player?: lasting cards", "@card.guest"),
    ("bool: lasting fields", "calm_now\n[.5] @player in heard"),
    ("player*: lasting fields", "[.7] heard"),
    ("card*: purse", "[1.5] purse(me)\n[.3] purse(@player)"),
    ("space: spaces", "[1.5] north\nsouth\n[.5] (@space? or north)"),
    ("space*: spaces", "[2] space\n[$s:space in space where @cond<$s>]"),
    ("space?: spaces", "place_of(@card, beside)\nfirst($s:space in @space* where @cond<$s>)"),
    ("space*: spaces", "lanes(@space)\n[.7] reachable(@space, lanes)\n[.5] path(@space, @space, lanes)"),
    ("card?: spaces", "beside(@space)"),
    ("cond: spaces", "beside(@space)\n[.5] not beside(@space)\n[.5] @space?"),
    ("int: spaces", "[.7] rent(@space)\n[.5] @space.fee\n[.3] count($s:space in space where not beside($s))"),
    (
        "token*: tokens",
        """
        [2] owned(token)
        [1] owned(@player, token)
        token
        [$t:token in owned(token) where @cond<$t>]
        pool(me)
        """,
    ),
    ("token: tokens", "[2] @own_token\n[.3] (@token? or @own_token)"),
    ("token?: tokens", "first($t:token in @token* where @cond<$t>)\ntop(pool(me))"),
    ("bool: tokens", "@token.turned\n@token.owner == me\n[.7] @token in pool(me)"),
    ("int: tokens", "[.5] size(owned(token))\n[.4] @token.aim\n[.7] @token.power"),
    ("cond: tokens", "pool(me)\n@token?"),
)

BOARDS = table(
    ("ring: rings", "[2] @own_ring\n[.4] (@ring? or @own_ring)\n[.3] ring[0]"),
    ("ring?: rings", "top(heap)\nfinger(@player)\nfirst($r:ring in @ring* where @cond<$r>)"),
    ("ring*: rings", "[2] ring\nheap\n[$r:ring in ring where @cond<$r>]"),
    ("bool: rings", "@ring.bent\n@ring in heap\n[.5] @ring.design == @ring.design\n[.5] @ring == @ring"),
    ("cond: rings", "heap\nfinger(me)\n@ring?"),
    ("int: rings", "size(heap)\n[.6] number(@ring)\n[.6] count(ring)\n[.5] size(@ring*)"),
    ("player?: rings", "[.5] place_of(@ring, finger)"),
    ("cell: grid", "[1.5] @square\n[.5] (@cell? or @square)\n[.2] (@cell*)[0]"),
    (
        "cell?: grid",
        "[1.5] cell_at(cell, @int, @int)\nshift(@cell, @digit, 0)\n[.6] shift(@cell, @int, -@small)\n"
        "first($c:cell in @cell* where @cond<$c>)",
    ),
    (
        "cell*: grid",
        """
        [1.5] cell
        [1.5] adjacent(@cell)
        [1.2] around(@cell)
        [1.2] ray(@cell, @tiny, 1)
        [1.2] connected(@cell*, @cell)
        [1] [$c:cell in @cell* where @cond<$c>]
        [1] reachable(@cell, adjacent)
        [.5] path(@cell, @cell, around)
        [.7] reachable(@cell, near)
        [.4] path(@cell, @cell, near)
        [.3] lines(@cell, 2)[0]
        [.3] distinct($m for $c:cell in @cell*, $m:cell in adjacent($c))
        """,
    ),
    (
        "int: grid",
        """
        [1.2] size(@cell*)
        [.6] @cell.row
        [.6] @cell.column
        [1] @cell.height
        [1.2] size(lines(@cell, 2))
        [.6] size(path(@cell, @cell, adjacent))
        [.5] count($c:cell in @cell* where @cond<$c>)
        """,
    ),
    (
        "bool: grid",
        """
        [1.5] @cell.mark == none
        [.6] distance(@cell, @cell, around) == @digit
        [.3] distance(@cell, @cell, adjacent) != none
        [.4] distance(@cell, @cell, near) != none
        [1] @cell.mark == me
        [.7] @cell.light
        [.4] @cell in @cell*
        [.5] any($c:cell in @cell* where @cond<$c>)
        [.4] any(all($d.mark == me for $d:cell in $l) for $l:line in lines(@cell, 2))
        [.4] any($l:line in lines(@cell, 2) where all($d.mark == me for $d:cell in $l))
        """,
    ),
    ("player?: grid", "@cell.mark"),
    ("cond: grid", "@cell*\n@cell?"),
    (
        "lay*: grid shapes",
        "[2] placements(@shape, cell)\ncell_placement\n"
        "[$p:lay in placements(@shape, cell) where all($c.mark == none for $c:cell in $p.cells)]",
    ),
    ("lay?: grid shapes", "first(@lay*)"),
    ("shape: grid shapes", "bar\n[.7] nook\n[.7] slab"),
    ("shape*: grid shapes", "shape"),
    ("int: grid shapes", "[.8] @shape.size\n[1.5] size(@lay*)"),
    ("slot*: grid stack", "slot\n[$s:slot in slot where @cond<$s>]"),
    ("slot: grid stack", "l1_r0_c0"),
    ("slot?: grid stack", "first($s:slot in @slot* where @cond<$s>)"),
    ("int: grid stack", "@slot.level\n[.5] size(@slot.supports)"),
    ("cell*: grid stack", "[.5] @slot.cells"),
    ("bool: grid stack", "@slot.full\nall($t.full for $t:slot in @slot.supports)"),
    ("plot*: plot", "owned(plot)\n[.5] owned(@player, plot)"),
    ("plot?: plot", "first($q:plot in @plot* where @cond<$q>)"),
    ("bool: plot", "any($q:plot in @plot* where $q.sown)\nplayer_1.t_a1.sown\nall(not $q.sown for $q:plot in @plot*)"),
    ("int: plot", "count($q:plot in @plot* where $q.sown)"),
    ("patch*: plot shapes", "placements(@shape, plot)"),
)
