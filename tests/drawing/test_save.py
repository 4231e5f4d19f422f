"""Files of pictures: whole, or as they were before."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from layertree import Identity, Plus, draw

PICTURE = draw(Plus(Identity(), 1.0))


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, MemoryError])
@pytest.mark.parametrize("name", ["write_bytes", "replace"])
def test_a_file_stays_as_it_was_if_saving_is_interrupted(
    error: type[BaseException], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "picture.svg"
    path.write_text("before")

    def interrupted(*given: Any) -> Any:
        if name == "write_bytes":
            given[0].write_text("half")
        raise error

    monkeypatch.setattr(Path if name == "write_bytes" else os, name, interrupted)
    with pytest.raises(error):
        PICTURE.save(path)
    assert os.listdir(tmp_path) == ["picture.svg"]
    assert path.read_text() == "before"


def test_a_file_that_is_replaced_keeps_its_mode_and_a_link_its_target(tmp_path: Path) -> None:
    path, link = tmp_path / "picture.svg", tmp_path / "link.svg"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    PICTURE.save(link)
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == PICTURE.svg
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link.svg", "picture.svg"]


def test_a_pipe_is_written_and_stays_one(tmp_path: Path) -> None:
    path, read = tmp_path / "pipe.svg", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: read.append(path.read_text(encoding="utf-8")))
    reader.start()
    PICTURE.save(path)
    reader.join()
    assert read == [PICTURE.svg]
    assert path.is_fifo()


def test_a_place_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"missing.picture\.svg"):
        PICTURE.save(tmp_path / "missing" / "picture.svg")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(IsADirectoryError, match=r"folder\.svg"):
        PICTURE.save(tmp_path / "folder.svg")


def test_without_the_right_to_write_into_the_folder_the_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    PICTURE.save(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text(encoding="utf-8") == PICTURE.svg


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 251 + ".svg")
    PICTURE.save(path)
    assert path.exists()
