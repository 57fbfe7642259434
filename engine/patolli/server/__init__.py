"""The language server: what an editor asks while somebody writes a pack.

``service`` speaks the protocol, and is the only module that needs ``pygls``. The others compute with files, models and
spans, and can be used without an editor.
"""
