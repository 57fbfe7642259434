"""The language server: what an editor asks while the author writes a pack.

``service`` and ``convert`` speak the protocol, and need ``pygls``. The others compute with files, models and
spans, and can be used without an editor.
"""
