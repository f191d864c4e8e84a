"""A report appears whole or not at all, and what was there before is replaced whole or left alone."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import InputError, OutputError
from pipeline.report import folder
from pipeline.report.folder import is_report, report_folder, whole_file

SUMMARY = {"format": 1, "verdict": "valid", "records": {}, "reasons": {}}


def make_report(target: Path, version: str) -> None:
    target.mkdir(parents=True, exist_ok=True)
    (target / "summary.json").write_text(json.dumps(SUMMARY | {"version": version}))


def version_of(target: Path) -> object:
    return json.loads((target / "summary.json").read_text())["version"]


def write_report(target: Path, version: str) -> None:
    with report_folder(target) as new:
        make_report(new, version)


def names(parent: Path) -> list[str]:
    return sorted(path.name for path in parent.iterdir())


def no_exchange(_one: Path, _other: Path) -> bool:
    return False


@pytest.fixture(params=["exchange", "no exchange"])
def any_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "no exchange":
        monkeypatch.setattr(folder, "_exchange", no_exchange)


@pytest.mark.usefixtures("any_system")
class TestReport:
    def test_appears_when_it_is_finished(self, tmp_path: Path) -> None:
        target = tmp_path / "reports" / "data"
        with report_folder(target) as new:
            assert new.parent == target.parent
            assert list(new.iterdir()) == []
            make_report(new, "1")
            assert not target.exists()
        assert names(target) == ["summary.json"]
        assert names(target.parent) == ["data"]

    def test_replaces_an_earlier_one_whole(self, tmp_path: Path) -> None:
        target = tmp_path / "data"
        make_report(target, "1")
        (target / "invalid.csv").write_text("old")
        with report_folder(target) as new:
            make_report(new, "2")
            assert version_of(target) == "1"
        assert (version_of(target), names(target), names(tmp_path)) == ("2", ["summary.json"], ["data"])

    def test_takes_an_empty_folder(self, tmp_path: Path) -> None:
        (tmp_path / "data").mkdir()
        write_report(tmp_path / "data", "1")
        assert (version_of(tmp_path / "data"), names(tmp_path)) == ("1", ["data"])

    @pytest.mark.parametrize("error", [InputError("x"), KeyboardInterrupt(), SystemExit(), ValueError("x")])
    @pytest.mark.parametrize("earlier", [False, True])
    def test_is_not_there_after_an_error(self, error: BaseException, earlier: bool, tmp_path: Path) -> None:
        target = tmp_path / "data"
        if earlier:
            make_report(target, "1")

        def fail() -> None:
            with report_folder(target) as new:
                make_report(new, "2")
                raise error

        with pytest.raises(type(error)):
            fail()
        assert names(tmp_path) == (["data"] if earlier else [])
        assert not earlier or version_of(target) == "1"

    def test_is_as_readable_as_any_other_folder(self, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        write_report(tmp_path / "data", "1")
        modes = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in names(tmp_path)}
        assert modes["data"] == modes["other"]

    def test_folder_that_is_filled_meanwhile_is_left_alone(self, tmp_path: Path) -> None:
        target = tmp_path / "data"
        target.mkdir()

        def write_beside_another() -> None:
            with report_folder(target) as new:
                make_report(new, "1")
                (target / "thesis.txt").write_text("mine")

        with pytest.raises(OutputError):
            write_beside_another()
        assert (names(tmp_path), names(target)) == (["data"], ["thesis.txt"])


def foreign_file(target: Path) -> None:
    target.write_text("mine")


def foreign_folder(target: Path) -> None:
    target.mkdir()
    (target / "thesis.txt").write_text("mine")


def foreign_summary(target: Path) -> None:
    target.mkdir()
    (target / "summary.json").write_text('{"total": 3}')


def broken_summary(target: Path) -> None:
    target.mkdir()
    (target / "summary.json").write_text('{"format": 1,')


def link_to_a_report(target: Path) -> None:
    make_report(target.parent / "elsewhere", "1")
    target.symlink_to("elsewhere")


def link_to_nothing(target: Path) -> None:
    target.symlink_to("nowhere")


@pytest.mark.parametrize(
    "make",
    [foreign_file, foreign_folder, foreign_summary, broken_summary, link_to_a_report, link_to_nothing],
)
def test_what_is_no_report_is_left_alone(make: Callable[[Path], None], tmp_path: Path) -> None:
    target = tmp_path / "data"
    make(target)
    before = {str(path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(OutputError, match=r"data: is (not a folder|a folder that holds no report); choose another"):
        write_report(target, "2")
    assert {str(path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_file_in_the_way_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OutputError, match=r"file/data: .*cannot be written: "):
        write_report(tmp_path / "file" / "data", "1")


def test_systems_error_while_writing_is_an_output_error(tmp_path: Path) -> None:
    def fail() -> None:
        with report_folder(tmp_path / "data") as new:
            (new / "absent" / "file").write_text("x")

    with pytest.raises(OutputError, match=r"data: .*cannot be written: No such file or directory"):
        fail()
    assert names(tmp_path) == []


# Where folders cannot be exchanged, a run may be killed between two steps.


def test_killed_between_the_two_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "data"
    make_report(target, "1")
    original = Path.rename
    steps: list[Path] = []

    def killed_at_the_second(self: Path, to: Path) -> Path:
        steps.append(self)
        if len(steps) == 2:
            raise KeyboardInterrupt
        return original(self, to)

    with monkeypatch.context() as patched:
        patched.setattr(folder, "_exchange", no_exchange)
        patched.setattr(Path, "rename", killed_at_the_second)
        with pytest.raises(KeyboardInterrupt):
            write_report(target, "2")
    assert not target.exists()

    def next_run_fails() -> None:
        with report_folder(target):
            assert version_of(target) == "1"
            raise InputError("x")

    with pytest.raises(InputError):
        next_run_fails()
    assert (version_of(target), names(tmp_path)) == ("1", ["data"])


def test_killed_before_the_earlier_report_was_removed(tmp_path: Path) -> None:
    target = tmp_path / "data"
    make_report(target, "2")
    make_report(tmp_path / ".data.previous", "1")
    with report_folder(target) as new:
        assert version_of(target) == "2"
        make_report(new, "3")
    assert (version_of(target), names(tmp_path)) == ("3", ["data"])


def test_exchange_is_one_step_where_the_system_has_it(tmp_path: Path) -> None:
    make_report(tmp_path / "one", "1")
    make_report(tmp_path / "other", "2")
    if not folder._exchange(tmp_path / "one", tmp_path / "other"):
        pytest.skip("this system cannot exchange two folders")
    assert [version_of(tmp_path / name) for name in ("one", "other")] == ["2", "1"]


def test_exchange_of_what_is_not_there_is_refused(tmp_path: Path) -> None:
    assert not folder._exchange(tmp_path / "one", tmp_path / "other")


# What is a report


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (json.dumps(SUMMARY), True),
        (json.dumps(SUMMARY | {"more": 1}), True),
        ('{"format": 1}', False),
        ("[]", False),
        ("", False),
        ("{", False),
    ],
)
def test_report_is_told_by_its_summary(text: str, expected: bool, tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_text(text)
    assert is_report(tmp_path) is expected


def test_folder_without_summary_is_no_report(tmp_path: Path) -> None:
    assert not is_report(tmp_path)
    assert not is_report(tmp_path / "absent")
    (tmp_path / "summary.json").write_bytes(b"\xff")
    assert not is_report(tmp_path)


# Single files


def test_file_appears_when_it_is_finished(tmp_path: Path) -> None:
    target = tmp_path / "new" / "valid.csv"
    with whole_file(target) as new:
        new.write_text("x")
        assert new.name.startswith(".valid.csv-")
        assert not target.exists()
    assert (target.read_text(), names(target.parent)) == ("x", ["valid.csv"])


def test_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "valid.csv"
    target.write_text("old and longer")
    with whole_file(target) as new:
        new.write_text("x")
        assert target.read_text() == "old and longer"
    assert (target.read_text(), names(tmp_path)) == ("x", ["valid.csv"])


def test_file_stays_after_an_error(tmp_path: Path) -> None:
    target = tmp_path / "valid.csv"
    target.write_text("old")

    def fail() -> None:
        with whole_file(target) as new:
            new.write_text("x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert (target.read_text(), names(tmp_path)) == ("old", ["valid.csv"])


def test_file_is_as_readable_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("")
    with whole_file(tmp_path / "valid.csv"):
        pass
    modes = [stat.S_IMODE(os.stat(tmp_path / name).st_mode) for name in names(tmp_path)]
    assert modes[0] == modes[1]


@pytest.mark.parametrize("place", ["folder", "file/valid.csv"])
def test_file_that_cannot_be_written_is_an_output_error(place: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("mine")

    def write() -> None:
        with whole_file(tmp_path / place) as new:
            new.write_text("x")

    with pytest.raises(OutputError, match=rf"{place}:? cannot be written: "):
        write()
    assert names(tmp_path) == ["file", "folder"]
