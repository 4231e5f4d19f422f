"""Whether a text is LaTeX that MathJax and KaTeX take: what is opened is closed, and nothing is meant by accident."""

from __future__ import annotations

import re

_WORD = re.compile(r"\\[A-Za-z]+|\\.|[{}^_&$#%~]|\n|.", re.DOTALL)
_COMMANDS = r"""
    \frac \sqrt \left \right \cdot \leq \geq \neq \vee \wedge \oplus \neg \bmod \circ \infty \pi \mathrm \mathbf \text
    \begin \end \ldots \top \lfloor \rfloor \lceil \rceil \times \exp \log \sin \cos \tan \sinh \cosh \tanh \sum \prod
    \max \min \arg \arcsin \arccos \arctan \sigma \backslash \hat \sim \theta
"""
COMMANDS = set(re.findall(r"\\\w+", _COMMANDS))


def require_latex(text: str) -> None:
    """Raise unless the text is well formed."""
    depth = 0
    lefts: list[int] = []
    scripts: dict[int, str] = {0: ""}
    for word in _WORD.findall(text):
        if word.startswith("\\") and word[1:].isalpha():
            assert word in COMMANDS, f"{word} in {text!r}"
        if word == "{":
            depth += 1
            scripts[depth] = ""
        elif word == "}":
            depth -= 1
            assert depth >= 0, text
        elif word == r"\left":
            lefts.append(depth)
        elif word == r"\right":
            assert lefts.pop() == depth, text
        elif word in "^_":
            assert word not in scripts[depth], f"a double script in {text!r}"
            scripts[depth] += word
            continue
        else:
            assert word not in {"$", "#", "%", "~"}, text
            assert word != "&" or r"\begin{" in text
        if word not in "{}":
            scripts[depth] = ""
    assert depth == 0, text
    assert not lefts, text
    assert sorted(re.findall(r"\\begin\{(\w+)\}", text)) == sorted(re.findall(r"\\end\{(\w+)\}", text))
