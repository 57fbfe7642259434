"""P0020 to P0027: values that one program reads as text and another as something else."""

from patolli.diagnostics.codes.code import Code, table

CODES = table(
    Code(
        "P0020",
        "leading zero",
        "error",
        "A value looks like a number with leading zeros.",
        "Old YAML reads 010 as eight, new YAML as ten.",
        "size: 010\n",
        "size: 10\n",
    ),
    Code(
        "P0021",
        "hexadecimal or binary",
        "error",
        "A value looks like a hexadecimal or binary number.",
        "Some programs read 0x1f as a number and some as text.",
        "size: 0x1f\n",
        "size: 31\n",
    ),
    Code(
        "P0022",
        "digits with underscores",
        "error",
        "A value looks like a number whose digits are grouped by underscores.",
        "Old YAML reads 1_000 as a number, new YAML as text.",
        "size: 1_000\n",
        "size: 1000\n",
    ),
    Code(
        "P0023",
        "number with a fraction",
        "error",
        "A value looks like a number with a fraction or an exponent.",
        "There are only whole numbers, so that every machine computes the same. A version such "
        "as 1.0 is text and "
        "needs quotes.",
        "share: .5\n",
        "share: 5\n",
    ),
    Code(
        "P0024",
        "yes, no, on, off",
        "error",
        "A value is one of the words yes, no, on and off, without quotes.",
        "Old YAML reads them as true and false, new YAML as text.",
        "hidden: yes\n",
        "hidden: true\n",
    ),
    Code(
        "P0025",
        "date or time",
        "error",
        "A value looks like a date or a time.",
        "Some programs turn it into a date, or 1:30 into ninety.",
        "made: 2024-01-02\n",
        'made: "2024-01-02"\n',
    ),
    Code(
        "P0026",
        "another spelling of true, false or null",
        "error",
        "A value is True, FALSE, Null, ~ or the like.",
        "Programs differ on which spellings they take for the word and which for text.",
        "hidden: True\n",
        "hidden: true\n",
    ),
    Code(
        "P0027",
        "number too large",
        "error",
        "A value is a number of more than 18 digits.",
        "Such numbers lose digits in many programs.",
        "size: 1234567890123456789\n",
        "size: 1234567\n",
    ),
)
