"""The rules of Safranito (Marco Teubner, Zoch 2010)."""
