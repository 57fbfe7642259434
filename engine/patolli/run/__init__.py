"""From a resolved program to Python and WebAssembly, and the matches that are played with it."""
