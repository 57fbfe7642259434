"""The studio and the language server."""
