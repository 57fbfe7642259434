"""P0050 to P0059: documents that do not have the shape of their kind."""

from patolli.diagnostics.codes.code import Code, table

_HEAD = "document: pieces\nkind: card\npieces:\n"

CODES = table(
    Code(
        "P0050",
        "unknown key",
        "error",
        "A mapping has a key that means nothing there.",
        "A misspelt key would otherwise be ignored, and what it says would be lost.",
        "document: model\ncounters:\n  coin: {mx: 9}\n",
        "document: model\ncounters:\n  coin: {max: 9}\n",
    ),
    Code(
        "P0051",
        "missing key",
        "error",
        "A mapping lacks a key that it needs.",
        "Without the key there is nothing sensible to assume.",
        "document: pieces\npieces:\n  red_card: {}\n",
        _HEAD + "  red_card: {}\n",
    ),
    Code(
        "P0052",
        "value of another kind",
        "error",
        "A value is of another kind than its key needs: a list where a number belongs, or a number where text does.",
        "Nothing is converted in silence. A number that is meant as text needs quotes.",
        "document: pack\nid: demo\nversion: 1.0.0\nlanguage: 1\ntitle: 1848\n",
        "document: pack\nid: demo\nversion: 1.0.0\nlanguage: 1\ntitle: '1848'\n",
    ),
    Code(
        "P0053",
        "value not among the choices",
        "error",
        "A value is none of the few that its key knows.",
        "Each of the choices has a meaning of its own; another word has none.",
        "document: model\nplaces:\n  deck: {of: card, type: pil}\n",
        "document: model\nplaces:\n  deck: {of: card, type: pile}\n",
    ),
    Code(
        "P0054",
        "number out of range",
        "error",
        "A number is smaller or larger than its key allows.",
        "The bounds are those within which the number makes sense.",
    ),
    Code(
        "P0055",
        "text written differently",
        "error",
        "A text is not written in the form that its key needs, or it is empty or too long. A title, name, label or value "
        "of type text has a line break.",
        "Ids, versions and the like have one form, so that they can be compared and sorted. A title or name stands in "
        "lists, headings and lines of the log, which are one line each.",
        "document: pack\nid: demo\nversion: one\nlanguage: 1\ntitle: Demo\n",
        "document: pack\nid: demo\nversion: 1.0.0\nlanguage: 1\ntitle: Demo\n",
    ),
    Code(
        "P0056",
        "too few, too many, or twice",
        "error",
        "A list or mapping has fewer or more entries than its key allows, or the same entry twice.",
        "An empty list or an entry given twice is mostly a slip.",
    ),
    Code(
        "P0057",
        "key written differently",
        "error",
        "A key is not written in the form that keys have here.",
        "Ids are small letters, digits and underscores, so that they can be used in effects as they are.",
        _HEAD + "  Red Card: {}\n",
        _HEAD + "  red_card: {}\n",
    ),
    Code(
        "P0058",
        "not allowed here",
        "error",
        "A key or a value may not stand here together with what is beside it.",
        "The description of the key in the reference tells with what it goes.",
    ),
    Code(
        "P0059",
        "unknown kind of document",
        "error",
        "A file does not say, in the key `document`, what kind of document it is; or it is a second manifest.",
        "The kind decides which keys a document has and what they mean. YAML that belongs to another program is listed in a "
        "file `.patolliignore` in the folder of the pack, one pattern on a line: `ci.yaml`, `site/`, `data/*.yaml`.",
        "document: modle\n",
        "document: model\n",
    ),
)
