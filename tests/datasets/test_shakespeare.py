"""The bundled text: what it is, from its first speech to its last."""

from layertree.datasets import shakespeare


def test_the_text_begins_and_ends_with_a_speech():
    text = shakespeare()
    assert text.startswith("First Citizen:\nBefore we proceed any further, hear me speak.\n\nAll:\nSpeak, speak.\n")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_what_is_known_of_the_text():
    text = shakespeare()
    assert text.isascii()
    assert 99_000 < len(text) <= 100_000
    assert "".join(sorted(set(text)))[-26:] == "abcdefghijklmnopqrstuvwxyz"
    assert text.count("\n\nVOLUMNIA:\n") == 42


def test_the_text_is_read_once():
    assert shakespeare() is shakespeare()
