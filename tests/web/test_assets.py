"""The files of the pages: kept for ever under the name of a release, compressed, never stale."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path

import httpx
import pytest

import number_duels.web
from number_duels.web.app import build
from number_duels.web.assets import Assets, BundleError, bundle_script, order
from number_duels.web.config import Config
from number_duels.web.pages import RECORD, START_PAGE, Page
from tests.web.people import GAME, start
from tests.web.serving import run

SOURCE = Path(number_duels.web.__file__).parent
PAGES = (
    START_PAGE,
    RECORD,
    *(Page(name, "", "") for name in ("table", "rules", "analysis", "daily")),
)
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def release_of(http: httpx.Client) -> str:
    return str(http.get("/api/release").json()["release"])


def test_everything_that_a_page_names_may_be_kept_for_ever(http: httpx.Client) -> None:
    release = release_of(http)
    page = http.get("/").text
    assert f'<meta name="release" content="{release}">' in page
    named = [path for path in re.findall(r'(?:href|src)="(/[^"]+)"', page) if "/static/" in path]
    assert {path.split("/")[2] for path in named} == {release}
    assert len(named) > 3
    for path in named:
        answer = http.get(path)
        assert answer.status_code == 200, path
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_every_style_belongs_to_a_script() -> None:
    scripts = {file.stem for file in (SOURCE / "static" / "js").glob("*.js")}
    styles = {file.stem for file in (SOURCE / "static" / "css").glob("*.css")}
    assert styles - scripts == {"base", "print"}, "the bundles would leave the others out"


def test_old_addresses_are_answered_and_not_kept(http: httpx.Client) -> None:
    current = http.get(f"/static/{release_of(http)}/js/table.js")
    for path in ("/static/js/table.js", "/static/0123456789ab/js/table.js"):
        answer = http.get(path)
        assert answer.content == current.content
        assert answer.headers["Cache-Control"] == "no-cache"


def test_text_is_compressed_for_who_can_read_it(http: httpx.Client) -> None:
    for path in ("/static/js/table.js", "/static/css/base.css", "/", "/api/catalogue"):
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


def test_the_catalogue_travels_once(http: httpx.Client) -> None:
    first = http.get("/api/catalogue")
    assert first.headers["Cache-Control"] == "no-cache"
    for kept in (first.headers["ETag"], f'"another", {first.headers["ETag"]}'):
        again = http.get("/api/catalogue", headers={"If-None-Match": kept})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
    changed = http.get("/api/catalogue", headers={"If-None-Match": '"another"'})
    assert (changed.status_code, changed.content) == (200, first.content)


def test_nothing_of_a_person_is_kept(http: httpx.Client) -> None:
    game = start(http, GAME, opponent="random").id
    paths = ("", "/record", "/steps", "/hint")
    for path in ("/", f"/play/{game}", "/api/me", *(f"/api/games/{game}{one}" for one in paths)):
        answer = http.get(path, headers={"If-None-Match": "*"})
        assert answer.status_code != 304
        assert answer.headers["Cache-Control"] == "no-store"
        assert "ETag" not in answer.headers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of what the server reads, as a checkout has it."""
    copy = tmp_path / "src" / "number_duels" / "web"
    for part in ("static", "templates"):
        shutil.copytree(SOURCE / part, copy / part)
    (tmp_path / "pyproject.toml").touch()
    return copy


def test_an_edit_in_a_checkout_is_a_new_release(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("number_duels.web.assets.EDITS_SEEN_EVERY_S", 0.0)
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


def test_a_page_is_one_script_and_one_style(folder: Path) -> None:
    release = Assets(folder).release
    for page in PAGES:
        assert release.script(page.name) == f"js/{page.name}.bundle.js"
        assert release.style(page.name) == f"css/{page.name}.bundle.css"
    script = release.files["js/table.bundle.js"].body.decode()
    dom, table = "const MAX_SPOKEN_LINES", "const PLAYED_KEY"
    assert script.count(dom) == 1
    # A module runs after those that it imports, and the page's own style comes last.
    assert script.index(dom) < script.index(table)
    style = release.files["css/table.bundle.css"].body.decode()
    assert style.index(".board{") < style.index(".table{") < style.index("@media print")


def test_a_bundle_gives_the_names_that_were_asked_for() -> None:
    sources = {
        "page": 'import { one, two as zwei } from "./part.js";\n'
        'import { one as own } from "./more.js";\nuse(one, zwei, own);\n',
        "more": 'export { one } from "./part.js";\n',
        "part": "export const one = 1;\nexport async function two() {}\n",
    }
    assert order("page", sources) == ["part", "more", "page"]
    made = bundle_script("page", sources)
    assert "const {one, two: zwei} = m0;" in made
    assert "return {one, two};" in made
    assert "const {one: own} = m1;" in made
    assert "import" not in made
    assert "export" not in made


def test_a_bundle_has_no_space_that_separates_nothing() -> None:
    source = "const f = () => {\n  // why\n  one(\n    { a },\n  );\n  two()\n};\nf()\n"
    assert "const f = () => {one({a},);two()};f()\n" in bundle_script("page", {"page": source})


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("export default 5;", "does not understand"),
        ('import everything from "./other.js";', "does not understand"),
        ('import { a } from "./page.js";', "imports itself"),
        ('import { a } from "./nothing.js";', "nothing.js does not exist"),
        ("const a = `one\n two`;", "spans several lines"),
        ("use(1); // once\nuse(2);", "a comment follows code"),
    ],
)
def test_what_a_bundle_does_not_understand_is_said(source: str, why: str) -> None:
    with pytest.raises(BundleError, match=why):
        bundle_script("page", {"page": source, "other": ""})


def test_a_page_without_a_bundle_loads_its_modules(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = folder / "static" / "js" / "rules.js"
    file.write_text(file.read_text() + "export default 5;\n")
    release = Assets(folder).release
    assert release.script("rules") == "js/rules.js"
    assert release.style("rules") == "css/rules.bundle.css"
    assert "rules.js" in caplog.text


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


@pytest.mark.parametrize(
    ("host", "burst", "status"), [("evil.example", 100.0, 421), ("localhost", 0.5, 429)]
)
def test_a_refusal_is_a_page_for_people_and_json_for_programs(
    tmp_path: Path, host: str, burst: float, status: int
) -> None:
    async def test() -> None:
        app = build(
            f"sqlite:///{tmp_path / 'games'}", Config(request_burst=burst, waiting_requests=0)
        )
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
            page = await client.get("/", headers=HTML)
            program, called = await client.get("/"), await client.get("/api", headers=HTML)
        assert {page.status_code, program.status_code, called.status_code} == {status}
        assert page.headers["Content-Type"].startswith("text/html")
        assert program.json()["error"] in page.text
        assert called.json() == program.json()
        for answer in (page, program):
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert ("Retry-After" in answer.headers) == (status == 429)

    run(test())


@pytest.mark.parametrize("path", ["/api/games/unknown", "/static/js/nothing.js", "/api/nothing"])
def test_programs_get_json_whatever_they_accept(http: httpx.Client, path: str) -> None:
    answer = http.get(path, headers=HTML)
    assert answer.status_code == 404
    assert answer.json()["error"].endswith(".")
