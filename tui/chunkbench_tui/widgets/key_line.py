"""The footer: the keys that do something here, as many as the line holds; help is always there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from textual.widgets import Footer
from textual.widgets._footer import FooterKey, FooterLabel, KeyGroup

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import ActiveBinding, Binding
    from textual.screen import Screen

_LAST = ("app.help", "app.quit")
_SPACES = 3
"""Cells of a key beside its name and its description."""


class KeyLine(Footer):
    """A screen's own keys in their order; the numbers of the screens where there is room."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._made_for = 0
        self._made: tuple[object, ...] = ()

    def bindings_changed(self, screen: Screen[Any]) -> None:
        """Make the line anew; but not for keys of which none is another, as most are not."""
        if not self._bindings_ready or self._made != self._described():
            super().bindings_changed(screen)

    def _described(self) -> tuple[object, ...]:
        """What the line depends on, beside its width."""
        active = self.screen.active_bindings.values()
        return tuple(
            (self.app.get_key_display(binding), binding.description, binding.action, enabled)
            for _, binding, enabled, _ in active
            if binding.show
        )

    def on_resize(self, event: events.Resize) -> None:
        if event.size.width != self._made_for:
            self.call_after_refresh(self.recompose)

    def compose(self) -> ComposeResult:
        if not self._bindings_ready:
            return
        self._made_for, self._made = self.app.size.width, self._described()
        by_action: dict[str, ActiveBinding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show:
                by_action.setdefault(active.binding.action, active)
        shown = list(by_action.values())
        last = [active for active in shown if active.binding.id in _LAST]
        grouped = [active for active in shown if active.binding.group is not None]
        own = [active for active in shown if active not in last and active not in grouped]
        room = self._made_for - sum(self._width(active.binding) for active in last)
        kept: list[ActiveBinding] = []
        for active in own:
            room -= self._width(active.binding)
            if room < 0:
                break
            kept.append(active)
        group = grouped[0].binding.group if grouped else None
        keys = "".join(self.app.get_key_display(active.binding) for active in grouped)
        with_group = group is not None and room >= len(keys) + len(group.description) + _SPACES
        self.styles.grid_size_columns = len(kept) + len(last) + 2 * with_group
        yield from map(self._key, kept)
        if with_group and group is not None:
            with KeyGroup(classes="-compact"):
                for active in grouped:
                    yield self._key(active, grouped=True)
            yield FooterLabel(group.description)
        yield from map(self._key, last)

    def _width(self, binding: Binding) -> int:
        return cell_len(self.app.get_key_display(binding)) + len(binding.description) + _SPACES

    def _key(self, active: ActiveBinding, grouped: bool = False) -> FooterKey:
        _, binding, enabled, tooltip = active
        return FooterKey(
            binding.key,
            self.app.get_key_display(binding),
            "" if grouped else binding.description,
            binding.action,
            disabled=not enabled,
            tooltip=tooltip or binding.description,
            classes="-grouped" if grouped else "",
        ).data_bind(compact=Footer.compact)
