"""The preview of a link to a game, as a chat shows it."""

from __future__ import annotations

from xml.etree import ElementTree

import httpx
import segno

from tests.web.people import GAME, Guest, join, start


def test_a_link_has_a_preview_without_secrets(http: httpx.Client) -> None:
    base = str(http.base_url).rstrip("/")
    host = start(http, GAME, name='Ann "A" <b>')
    page = http.get(f"/play/{host.id}", headers={"Accept": "text/html"}).text
    title = Guest(http, host.id).view()["title"]
    invited = f"Ann &quot;A&quot; &lt;b&gt; invites you to {title}"
    assert f'<meta property="og:title" content="{invited}">' in page
    assert f'<meta property="og:url" content="{base}/play/{host.id}">' in page
    image = page.partition('property="og:image" content="')[2].partition('"')[0]
    assert image.startswith(f"{base}/static/")
    assert http.get(image).headers["content-type"] == "image/png"
    assert str(host.token) not in page
    join(host)
    page = http.get(f"/play/{host.id}", headers={"Accept": "text/html"}).text
    assert f"Ann &quot;A&quot; &lt;b&gt; against Bo: {title}" in page


def test_a_link_is_drawn_as_a_code(http: httpx.Client) -> None:
    link = "https://duels.example/play/abcdEFGH_-123456"
    answer = http.post("/api/qr", json={"text": link})
    picture = ElementTree.fromstring(answer.json()["svg"])
    side = segno.make(link, error="m", micro=False).symbol_size(border=4)[0]
    assert (picture.tag, picture.get("viewBox")) == ("svg", f"0 0 {side} {side}")
    ground, lines = picture
    assert ground.get("fill") == "#fff"
    # A corner begins with seven dark squares, after the quiet zone.
    assert str(lines.get("d")).startswith("M4 4.5h7m")
    for text in ("", "x" * 301):
        assert http.post("/api/qr", json={"text": text}).status_code == 422
