"""The files of the pages: kept for ever under the name of a release, compressed, never stale."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path

import httpx
import pytest

import number_duels.web
from number_duels.web.assets import Assets

SOURCE = Path(number_duels.web.__file__).parent
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def release_of(http: httpx.Client) -> str:
    return str(http.get("/api/release").json()["release"])


def test_everything_that_a_page_names_may_be_kept_for_ever(http: httpx.Client) -> None:
    release = release_of(http)
    page = http.get("/").text
    assert f'<meta name="release" content="{release}">' in page
    named = [path for path in re.findall(r'(?:href|src)="(/[^"]+)"', page) if "/static/" in path]
    assert {path.split("/")[2] for path in named} == {release}
    assert len(named) > 5
    for path in named:
        answer = http.get(path)
        assert answer.status_code == 200, path
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_old_addresses_are_answered_and_not_kept(http: httpx.Client) -> None:
    current = http.get(f"/static/{release_of(http)}/js/table.js")
    for path in ("/static/js/table.js", "/static/0123456789ab/js/table.js"):
        answer = http.get(path)
        assert answer.content == current.content
        assert answer.headers["Cache-Control"] == "no-cache"


def test_text_is_compressed_for_who_can_read_it(http: httpx.Client) -> None:
    for path in ("/static/js/table.js", "/static/css/base.css", "/"):
        packed = http.get(path, headers={"Accept-Encoding": "gzip"})
        plain = http.get(path, headers={"Accept-Encoding": "identity"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
        assert packed.content == plain.content
        assert int(packed.headers["Content-Length"]) < len(plain.content)
    font = http.get("/static/fonts/inter-latin.woff2", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in font.headers
    assert font.headers["Content-Type"] == "font/woff2"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of what the server reads, as a checkout has it."""
    copy = tmp_path / "src" / "number_duels" / "web"
    for part in ("static", "templates"):
        shutil.copytree(SOURCE / part, copy / part)
    (tmp_path / "pyproject.toml").touch()
    return copy


def test_an_edit_in_a_checkout_is_a_new_release(folder: Path) -> None:
    assets = Assets(folder)
    before = assets.release
    assert assets.release is before
    file = folder / "static" / "js" / "table.js"
    file.write_text(file.read_text() + "// edited\n")
    after = assets.release
    assert after.name != before.name
    found = assets.find(f"{after.name}/js/table.js")
    assert found is not None
    assert found[0].body.endswith(b"// edited\n")
    assert gzip.decompress(found[0].compressed or b"") == found[0].body


def test_an_installed_server_keeps_what_it_started_with(folder: Path) -> None:
    (folder.parents[2] / "pyproject.toml").unlink()
    assets = Assets(folder)
    before = assets.release
    shutil.rmtree(folder / "static")
    assert assets.release is before
    assert assets.find("js/table.js") is not None


def test_lines_have_their_numbers_without_their_comments(folder: Path) -> None:
    tricky = folder / "static" / "js" / "tricky.js"
    tricky.write_text("/** @type {X} */ (one).two();\n/** A word. */\nthree();\n")
    files = Assets(folder).release.files
    for path in (folder / "static" / "js").glob("*.js"):
        source = path.read_text().splitlines()
        sent = files[f"js/{path.name}"].body.decode().splitlines()
        for written, found in zip(source, sent, strict=True):
            comment = written.strip().startswith(("/**", "*"))
            assert found == written or (comment and found == "")
    assert files["js/tricky.js"].body == b"/** @type {X} */ (one).two();\n\nthree();\n"


def test_every_module_of_a_page_is_preloaded(folder: Path) -> None:
    release = Assets(folder).release
    modules = release.modules("table")
    assert modules[0] == "js/table.js"
    assert {"js/api.js", "js/dom.js", "js/live.js"} <= set(modules)
    assert "js/types.js" not in modules
    assert len(modules) == len(set(modules))
    # A module's style has its name; what a page says of its own comes last.
    styles = release.styles("table")
    assert (styles[0], styles[-1]) == ("css/base.css", "css/table.css")
    assert "css/board.css" in styles


@pytest.mark.parametrize(
    "path", ["/nothing", "/play/unknown", "/rules/chess", "/analysis/%3Cb%3Echess"]
)
def test_a_wrong_address_is_a_page_for_people_and_json_for_programs(
    http: httpx.Client, path: str
) -> None:
    page = http.get(path, headers=HTML)
    assert page.status_code == 404
    assert page.headers["Content-Type"].startswith("text/html")
    assert "<h1>" in page.text
    assert 'href="/"' in page.text
    assert "<b>chess" not in page.text
    answer = http.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"].endswith(".")


@pytest.mark.parametrize("path", ["/api/games/unknown", "/static/js/nothing.js", "/api/nothing"])
def test_programs_get_json_whatever_they_accept(http: httpx.Client, path: str) -> None:
    answer = http.get(path, headers=HTML)
    assert answer.status_code == 404
    assert answer.json()["error"].endswith(".")
