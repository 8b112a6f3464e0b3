"""The preview of a link to a game, as a chat shows it."""

from __future__ import annotations

import httpx

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
