"""The native back end: programs as WebAssembly; an extra."""
