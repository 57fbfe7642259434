"""Draw cards and boards once, in millimeters: pages show the drawing as SVG, sheets print it as PDF."""
