"""What a link to a game looks like where it is sent: a title and a picture, both ours."""

from __future__ import annotations

from html import escape

from number_duels.web.db.stored_game import StoredGame

#: Made by `scripts/draw_preview.py`.
IMAGE = "preview.png"
IMAGE_SIZE = (1200, 630)


def preview_tags(stored: StoredGame, address: str, image: str) -> tuple[str, ...]:
    """Elements for the head of a game's page; both addresses are whole ones."""
    title, game = preview_title(stored), stored.game
    facts = {
        "og:type": "website",
        "og:site_name": "Number Duels",
        "og:title": title,
        "og:description": game.summary,
        "og:url": address,
        "og:image": image,
        "og:image:width": str(IMAGE_SIZE[0]),
        "og:image:height": str(IMAGE_SIZE[1]),
        "og:image:alt": "Number Duels: small number games for two",
    }
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in facts.items()]
    return *tags, '<meta name="twitter:card" content="summary_large_image">'


def preview_title(stored: StoredGame) -> str:
    """Who invites to what, or who plays against whom."""
    title = stored.game.title
    seated = [holder.name for holder in stored.seats if holder.seated]
    if len(seated) == 1 and not stored.over:
        return f"{seated[0]} invites you to {title}"
    return f"{' against '.join(stored.names)}: {title}"
