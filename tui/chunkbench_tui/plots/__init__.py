"""Plots without a screen: what is drawn where, as text cells and as SVG."""
