"""Draw cards and boards once, in millimetres: pages show the drawing as SVG, sheets print it as PDF."""
