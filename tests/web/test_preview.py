"""The preview of a link to a game, as a chat shows it."""

from __future__ import annotations

import json
from io import BytesIO
from urllib.parse import urljoin
from xml.etree import ElementTree

import httpx
import segno
from PIL import Image

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


def test_every_page_has_a_preview(http: httpx.Client) -> None:
    base = str(http.base_url).rstrip("/")
    spot = json.dumps({"game": GAME, "moves": "", "seat": 1})
    for path, told in {
        "/": "Number Duels",
        "/train": "Train",
        f"/rules/{GAME}": "the rules",
        f"/analysis/{GAME}": "analysis",
        f"/train?{httpx.QueryParams(game=GAME, spot=spot)}": "Can you do better from here?",
    }.items():
        page = http.get(path).text
        assert told in page.partition('property="og:title" content="')[2].partition('"')[0]
        assert f'<meta property="og:url" content="{base}{path}">' in page.replace("&amp;", "&")
        image = page.partition('property="og:image" content="')[2].partition('"')[0]
        assert http.get(image).headers["content-type"] == "image/png"
    missing = http.get("/rules/nothing", headers={"Accept": "text/html"}).text
    assert "og:title" not in missing


def test_the_page_can_be_installed(http: httpx.Client) -> None:
    page = http.get("/").text
    address = page.partition('<link rel="manifest" href="')[2].partition('"')[0]
    answer = http.get(address)
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    touch = page.partition('<link rel="apple-touch-icon" href="')[2].partition('"')[0]
    icons = {urljoin(address, icon["src"]): icon["sizes"] for icon in manifest["icons"]}
    for icon, size in {**icons, touch: "180x180"}.items():
        picture = http.get(icon)
        assert picture.headers["content-type"].startswith("image/")
        if size != "any":
            drawn = Image.open(BytesIO(picture.content))
            assert f"{drawn.width}x{drawn.height}" == size


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
