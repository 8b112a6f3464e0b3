"""The colours of the application: three themes, in each of which a player has one colour."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="dark",
    primary="#7aa2f7",
    secondary="#9aa5ce",
    accent="#e0af68",
    foreground="#d5daf0",
    background="#16181f",
    surface="#16181f",
    panel="#20232d",
    warning="#e0af68",
    error="#f7768e",
    success="#9ece6a",
    dark=True,
    variables={
        "seat-one": "#7dcfff",
        "seat-two": "#ff9e64",
        "faint": "#8f97b8",
        "footer-key-foreground": "#e0af68",
        "footer-background": "#20232d",
    },
)
LIGHT = Theme(
    name="light",
    primary="#2f5aa8",
    secondary="#5a6275",
    accent="#8a5a00",
    foreground="#22262f",
    background="#fbfaf7",
    surface="#fbfaf7",
    panel="#ece9e1",
    warning="#8a5a00",
    error="#b3261e",
    success="#2e6b27",
    dark=False,
    variables={
        "seat-one": "#00618a",
        "seat-two": "#a8420a",
        "faint": "#5f6472",
        "footer-key-foreground": "#8a5a00",
        "footer-background": "#ece9e1",
    },
)
HIGH_CONTRAST = Theme(
    name="high-contrast",
    primary="#ffffff",
    secondary="#ffffff",
    accent="#ffff00",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    warning="#ffff00",
    error="#ff8080",
    success="#00ff00",
    dark=True,
    variables={
        "seat-one": "#00ffff",
        "seat-two": "#ffff00",
        "faint": "#d0d0d0",
        "footer-key-foreground": "#ffff00",
        "footer-background": "#000000",
        "border": "#ffffff",
    },
)
THEMES = (DARK, LIGHT, HIGH_CONTRAST)
