"""The tokens of a text."""

from __future__ import annotations

import re

_SPACE = r"(?:[ \t\r\f]|\#[^\n]*+)*+"
_DIGITS = r"[0-9]++(?:_[0-9]++)*+"
_NAME = r"[^\W\d]\w*+"

TOKEN = re.compile(
    rf"""{_SPACE}(?:
      (?P<number>0[xX][0-9a-fA-F]++ | (?:{_DIGITS}(?:\.(?:{_DIGITS})?)? | \.{_DIGITS})(?:[eE][-+]?{_DIGITS})?)
    | (?P<call>{_NAME}(?:\.{_NAME})*+)[ ]*+\(
    | (?P<keyword>{_NAME})[ ]*+=(?!=)
    | (?P<name>{_NAME}(?:\.{_NAME})*+)
    | (?P<string>'(?:[^'\\\n]|\\.)*+' | "(?:[^"\\\n]|\\.)*+")
    | (?P<left_out>\.\.\. | <[a-z][^<>\n]*+>)
    | (?P<operator>\*\*|//|==|!=|<=|>=|<<|>>|[-+*/%@<>&|^~])
    | (?P<open>[(\[])
    | (?P<close>[)\]])
    | (?P<comma>,)
    | (?P<newline>\n)
    | (?P<end>\Z)
    | (?P<other>.)
    )""",
    re.VERBOSE,
)
"""One token after spaces and comments; a name with an opening bracket or equals sign after it is one token."""

LINE_OF_NAMES = re.compile(rf"[ \t]*+({_NAME}(?:[ \t]*+,[ \t]*+{_NAME})++)[ \t]*+=(?!=)")
"""``x, y = ...`` at the start of a line."""

INDEX = re.compile(r"\[([^\[\]'\"]*+)\]")
"""A static index with its brackets."""
