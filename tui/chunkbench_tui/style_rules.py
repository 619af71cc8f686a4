"""Style rules that are parsed once, not again for every screen."""

from __future__ import annotations

from textual.css.stylesheet import Stylesheet


class StyleRules(Stylesheet):
    """Parses a source anew only where it, or the theme, is another one.

    Textual parses all sources anew, twice before the first paint and whenever a screen is shown
    for the first time, although it keeps what it parsed before: tens of milliseconds on the event
    loop each time.
    """

    def set_variables(self, variables: dict[str, str]) -> None:
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        self.parse()
