"""The footer: the keys that do something here, as many as the line holds; help is always there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from textual.widgets import Footer
from textual.widgets._footer import FooterKey, FooterLabel, KeyGroup

if TYPE_CHECKING:
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
        self._made: tuple[object, ...] = ()

    def on_mount(self) -> None:
        self.app.screen_change_signal.subscribe(self, self.bindings_changed)

    def bindings_changed(self, screen: Screen[Any]) -> None:
        self._bindings_ready = True
        if self.is_attached and screen is self.screen and self.app.app_focus:
            self.call_after_refresh(self._renew)

    def on_resize(self) -> None:
        self.call_after_refresh(self._renew)

    async def _renew(self) -> None:
        """Make the line anew where one of its keys, or its width, is another: seldom."""
        # Of a screen that is not on top the keys cannot be asked; they are when it is again.
        known = self._bindings_ready and self.is_attached and self.screen.is_current
        if known and self._made != self._wanted():
            await self.recompose()

    def _wanted(self) -> tuple[object, ...]:
        """What the line depends on."""
        active = self.screen.active_bindings.values()
        keys = (
            (self.app.get_key_display(binding), binding.description, binding.action, enabled)
            for _, binding, enabled, _ in active
            if binding.show
        )
        return self.app.size.width, *keys

    def compose(self) -> ComposeResult:
        if not self._bindings_ready:
            return
        self._made = self._wanted()
        by_action: dict[str, ActiveBinding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show:
                by_action.setdefault(active.binding.action, active)
        shown = list(by_action.values())
        last = [active for active in shown if active.binding.id in _LAST]
        grouped = [active for active in shown if active.binding.group is not None]
        own = [active for active in shown if active not in last and active not in grouped]
        room = self.app.size.width - sum(self._width(active.binding) for active in last)
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
        key = FooterKey(
            binding.key,
            self.app.get_key_display(binding),
            "" if grouped else binding.description,
            binding.action,
            disabled=not enabled,
            tooltip=tooltip or binding.description,
            classes="-grouped" if grouped else "",
        )
        # Bound to the footer's, it would be set and taken back: all its styles worked out thrice.
        key.set_reactive(FooterKey.compact, False)
        return key
