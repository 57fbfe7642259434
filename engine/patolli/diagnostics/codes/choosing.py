"""P0110 to P0134: packs, their modules, patches and options."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import model, module, patched

_ANY = '{sample: ">=1.0"}'
_WAITS = "# extra/with_other.yaml\ndocument: rules\nwhen_active: [other]\ntriggers: {}\n"
_CALM = module("extra", _ANY) + "# extra/rules.yaml\ndocument: rules\ntriggers:\n  calm: {after: dig, do: gain 1 nut}\n"
_PATCHED_CALM = "# other/change.yaml\ndocument: patch\nchange:\n  - {replace: triggers/calm/do, with: gain 1 seed}\n"
_STEPS = (
    "# steps.yaml\ndocument: rules\nrules:\n  twice(int n):\n    steps: {first: gain n coin, second: gain n nut}\n"
    "triggers:\n  also: {after: earn, do: twice(n)}\n  bonus_coin: {after: twice/first, do: gain 1 coin}\n"
)

CODES = table(
    Code(
        "P0110",
        "no such pack",
        "error",
        "There is no pack with this id on the search path, and no folder of this name with a `pack.yaml`.",
        "Nothing can be checked or played without it. Ids and paths are written as `patolli show` lists them.",
    ),
    Code(
        "P0112",
        "archive refused",
        "error",
        "A zip archive is damaged, too large, or holds what no pack needs: links, names that lead outside, secret files.",
        "An archive may come from anywhere. It is read in place, and only when all of it can be trusted to stay there.",
    ),
    Code(
        "P0113",
        "missing requirement",
        "error",
        "A pack requires another one that is not active.",
        "A module changes what another pack declares; without that pack there is nothing to change.",
        module("extra", '{sample: ">=1.0", other: ">=1.0"}'),
        module("extra", _ANY),
    ),
    Code(
        "P0114",
        "version out of range",
        "error",
        "A required pack is active, but in a version that the module was not made for.",
        "What the module changes may be gone or mean something else in that version.",
        module("extra", '{sample: ">=2.0"}'),
        module("extra", '{sample: ">=1.0,<2.0"}'),
    ),
    Code(
        "P0115",
        "conflict",
        "error",
        "Two active packs cannot be used together; one of them says so.",
        "They change the same thing in two ways that cannot both hold.",
        module("extra", _ANY, "conflicts: [other]\n") + module("other", _ANY),
        module("extra", _ANY) + module("other", _ANY),
    ),
    Code(
        "P0116",
        "circle of requirements",
        "error",
        "Packs require each other in a circle.",
        "What a pack requires is put in place before it; in a circle nothing comes first.",
        module("extra", '{sample: ">=1.0", other: ">=1.0"}') + module("other", '{sample: ">=1.0", extra: ">=1.0"}'),
        module("extra", '{sample: ">=1.0", other: ">=1.0"}') + module("other", _ANY),
    ),
    Code(
        "P0117",
        "not a module",
        "error",
        "A pack that was named as a module requires nothing, or is one of another game.",
        "A module says which packs it changes, so that it is never put on a game that it does not know.",
        module("extra", ""),
        module("extra", _ANY),
    ),
    Code(
        "P0118",
        "misspelt name of a pack",
        "warning",
        "A manifest or a document names a pack that is not there, and one of nearly that name is.",
        "A conflict with such a pack is never noticed, and a document that waits for it is never in force. A pack that is\n"
        "not installed here may be named, and so may a role that no pack fills.",
        module("extra", _ANY, "conflicts: [other_extra, sampel]\n"),
        module("extra", _ANY, "conflicts: [other_extra]\n"),
    ),
    Code(
        "P0120",
        "entry declared twice",
        "error",
        "Two documents declare the same id in the same section.",
        "One of the two would be lost without a word. A module that wants to change an entry says so in a patch.",
        model("counters:\n  coin: {per: player}\n"),
        model("counters:\n  shell: {per: player}\n"),
    ),
    Code(
        "P0121",
        "patch without a target",
        "error",
        "A patch changes or removes something that does not exist.",
        "The pack below has changed, or the target is misspelt; in both cases the patch would do nothing.",
        patched("remove: rules/digg"),
        patched("{replace: rules/dig, with: gain 1 point}"),
    ),
    Code(
        "P0122",
        "patch expects something else",
        "error",
        "A patch says what it expects to find, and something else is there.",
        "The pack below has changed since the patch was written, so its author should look at both again.",
        patched("{replace: constants/ladder/value, expects: [0, 1, 2], with: [0, 2, 4, 6]}"),
        patched("{replace: constants/ladder/value, expects: [0, 1, 3, 6], with: [0, 2, 4, 6]}"),
    ),
    Code(
        "P0123",
        "two modules change the same thing",
        "error",
        "Two active modules replace the same thing, and neither requires the other.",
        "Which of them should win is nowhere said. A third module that requires both, or a requirement between them, "
        "settles it.",
        patched("{replace: rules/dig, with: gain 1 point}")
        + patched("{replace: rules/dig, with: gain 1 nut}", "other"),
        patched("{replace: rules/dig, with: gain 1 point}") + patched("{after: rules/dig, do: gain 1 nut}", "other"),
    ),
    Code(
        "P0124",
        "patch that does not fit",
        "error",
        "A patch adds what is already there, is of a sort that its target does not allow, or says what its operation\n"
        "knows nothing of.",
        "Lists and mappings can be extended, by entries that are new; what exists is replaced. Functions are adjusted,\n"
        "rules have something before, after or instead of them; each change has one operation and the keys of it.",
        patched("{extend: pieces/plain, with: {number: 4}}"),
        patched("{extend: pieces/plain, with: {cost: 1 coin}}"),
    ),
    Code(
        "P0125",
        "order of packs that matters",
        "warning",
        "Two packs do something before or after the same rule or step, and what comes of it depends on the order.",
        "Patches come first, then triggers, then triggers of pieces, each in the order of the packs: after those that a pack\n"
        "requires or names under `optional`, else by their ids, which mean nothing. `patolli show PACK RULE` tells the order.",
        patched("{after: rules/dig, do: gain 1 nut}") + patched("{after: rules/dig, do: set nut to nut * 2}", "other"),
        patched("{after: rules/dig, do: gain 1 nut}") + patched("{after: rules/dig, do: gain 2 nut}", "other"),
    ),
    Code(
        "P0126",
        "step that never comes",
        "warning",
        "Something joins a step of a rule, and another module does something instead of the whole rule.",
        "The steps of a rule come only where `original(..)` carries them out, so what joins them is lost without a word.",
        _STEPS + patched("instead: rules/twice\n    do: gain 1 coin"),
        _STEPS + patched("instead: rules/twice\n    do: original(n); gain 1 coin"),
    ),
    Code(
        "P0127",
        "document that waits for a stranger",
        "warning",
        "A document waits for a pack or a role that its manifest does not name, or for the absence of one that is required.",
        "A pack that adapts to another one applies after it, which the manifest says under `optional`. A name that stands\n"
        "nowhere else may also be misspelt, and then the document is never in force.",
        module("extra", _ANY) + _WAITS,
        module("extra", _ANY, "optional: [other]\n") + _WAITS,
    ),
    Code(
        "P0128",
        "role that two packs fill",
        "error",
        "Two active packs fill the same role, or one fills a role with the id of the other.",
        "What waits for a role counts on the declarations of whoever fills it, and there can be only one.",
        module("extra", _ANY, "provides: [ending]\n") + module("other", _ANY, "provides: [ending]\n"),
        module("extra", _ANY, "provides: [ending]\n") + module("other", _ANY, "provides: [beginning]\n"),
    ),
    Code(
        "P0129",
        "switch without an effect",
        "warning",
        "A manifest names an option value that cannot ask for its module.",
        "An option that a pack declares itself keeps its values, `normal` stands for no module, and one value can ask for\n"
        "one module only. The name of a switch is one that no pack has as an option.",
        module("extra", _ANY, "switch: {length: brief}\n"),
        module("extra", _ANY, "switch: {start: brief}\n"),
    ),
    Code(
        "P0130",
        "unknown option",
        "error",
        "No active pack declares an option of this name.",
        "A misspelt option would otherwise be ignored, and the match played with the default.",
    ),
    Code(
        "P0131",
        "option with a wrong value",
        "error",
        "An option was set to a value that it does not have.",
        "An option is one of its choices, or a number within its range.",
    ),
    Code(
        "P0132",
        "patch of a stranger",
        "warning",
        "A patch changes what belongs to a pack that its own pack neither requires nor names as optional.",
        "It works by chance: without the other pack its target is missing, and with it nothing says which of the two applies\n"
        "first. Such patches stand in a document of their own with `when_active`.",
        _CALM + module("other", _ANY) + _PATCHED_CALM,
        _CALM + module("other", _ANY, "optional: [extra]\n") + _PATCHED_CALM,
    ),
    Code(
        "P0133",
        "id that is not the name of the folder",
        "warning",
        "A pack lies in a folder with another name than its id.",
        "Packs on the search path are found by the names of their folders, so nothing that requires this id would find it.\n"
        "A distribution that declares the id as an entry point, an archive, and a pack that is named by its path may have any name.",
    ),
    Code(
        "P0134",
        "payment that is not there",
        "error",
        "A discount or waiver names a payment by its place, and nothing is paid there.",
        "`on: rule/step` means the payments of a step, `on: rule/2` the second payment of a rule that has no tag. When\n"
        "the pack below changes, what was meant may be gone, and the discount would never apply.",
        "document: rules\nrules:\n  treat: {do: pay 1 coin}\ndiscounts:\n  regulars: {on: treat/2, less: 1 of coin}\n",
        "document: rules\nrules:\n  treat: {do: pay 1 coin}\ndiscounts:\n  regulars: {on: treat/1, less: 1 of coin}\n",
    ),
)
