"""Keys, tokens, passwords, and addresses on the net."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from curator.privacy.finding import Finding

_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-[A-Za-z0-9_-]{16,}|(?:pk|sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}|(?:pk|sk)-lf-[A-Za-z0-9-]{16,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{12,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|hf_[A-Za-z0-9]{20,}|lsv2_\w{20,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|npm_[A-Za-z0-9]{20,}|pypi-[\w-]{20,}|dop_v1_[a-f0-9]{20,}|key-[a-f0-9]{32}"
    r"|eyJ[\w-]{6,}\.(?:eyJ)?[\w-]{6,}(?:\.[\w-]{4,})?"
    r")"
)
# What must be in a text, in small letters, before the patterns are tried.
_KEY_STEMS = (
    "sk-", "k_live", "k_test", "k-lf-", "akia", "asia", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat", "glpat", "xox", "aiza",
    "ya29", "hf_", "lsv2", "sg.", "npm_", "pypi-", "dop_v1", "key-", "eyj",
)  # fmt: skip
_LABEL_STEMS = (
    "key",
    "secret",
    "token",
    "pass",
    "kennwort",
    "contraseña",
    "pwd",
    "비밀번호",
    "암호",
    "密码",
    "パスワード",
)
_BEARER = re.compile(r"\b(?:Bearer|Basic|token)\s+([A-Za-z0-9._~+/-]{16,}=*)")
_LABELED = re.compile(
    r"(?i)(?:\b(?:api[ _-]?key|secret(?:[ _-]?(?:access[ _-]?)?key)?|access[ _-]?key|access[ _-]?token|auth[ _-]?token"
    r"|client[ _-]?secret|password|passwd|passwort|kennwort|mot de passe|contraseña|pwd)|비밀번호|암호|密码|パスワード)"
    r"[\"']?\s*(?:=|:|：|\bis\b|\bist\b|は|는|은)\s*[\"'“]?([^\s\"'”,;<>]{4,200})"
)
_PRIVATE = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S)
_CREDENTIAL_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/@:\"'<>]*:[^\s/@\"'<>]+@[^\s\"'<>)\]]+", re.I)
_TOKEN_URL = re.compile(
    r"\bhttps?://[^\s\"'<>]*[?&#](?:access_?token|token|api_?key|key|secret|sig|signature|password|auth)=[^\s\"'<>)\]]+",
    re.I,
)
_EMAIL = re.compile(r"(?<![\w.+@-])[\w.!#$%&'*+/=?^`{|}~-]*[\w+-]@(?:[\w-]+\.)+[A-Za-z\u00a1-\uffff][\w-]*", re.A)
_EMAIL_WIDE = re.compile(r"[^\W_][\w.+-]*@(?:[^\W_][\w-]*\.)+[A-Za-z]{2,}")
_EMAIL_SPOKEN = re.compile(
    r"\b[\w.]+(?:\s+dot\s+\w+)*\s*(?:\s+at\s+|\(at\)|\[at\]|\s\(at\)\s|\s\[at\]\s)\s*\w+(?:\s*(?:\s+dot\s+|\(dot\)|\[dot\])\s*\w+)+",
    re.I,
)
_IP4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d]|\.\d)")
_IP6 = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}(?:[0-9A-Fa-f]{1,4}|(?:\d{1,3}\.){3}\d{1,3})?(?![\w:])")
_VERSION_BEFORE = re.compile(
    r"(?i)(?:\b(?:version|ver|release|build|firmware|rev|revision|windows|section|chapter|clause|paragraph|v|§)\.?|버전)\s*$"
)
_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"')\]，。]+|\bwww\.[^\s<>\"')\]，。]+", re.I)
_URL_END = ".,;:!?"


def find_secrets(text: str) -> Iterator[Finding]:
    """Keys, tokens, passwords and URLs that carry them."""
    low = text.lower()
    for m in _KEY.finditer(text) if any(map(low.__contains__, _KEY_STEMS)) else ():
        yield Finding(*m.span(), "api_key")
    for pattern, words in ((_BEARER, ("bearer", "basic", "token")), (_LABELED, _LABEL_STEMS)):
        for m in pattern.finditer(text) if any(map(low.__contains__, words)) else ():
            if m[1].startswith("[") or (pattern is _LABELED and not _secret_like(m[1])):
                continue
            yield Finding(*m.span(1), "api_key")
    if "PRIVATE KEY" in text:
        for m in _PRIVATE.finditer(text):
            yield Finding(*m.span(), "api_key")


def _secret_like(value: str) -> bool:
    """A password has a digit or a sign in it, or is long; "password is required" has neither."""
    return any(c.isdigit() for c in value) or any(not c.isalnum() for c in value.strip(".!?")) or len(value) > 24


def find_net(text: str) -> Iterator[Finding]:
    """E-mail addresses, URLs and IP addresses."""
    if "@" in text:
        for pattern in (_EMAIL, _EMAIL_WIDE):
            for m in pattern.finditer(text):
                yield Finding(m.start(), m.start() + len(m[0].rstrip("._-")), "email")
    if "dot" in (low := text.lower()) and ("at " in low or "at)" in low or "at]" in low):
        for m in _EMAIL_SPOKEN.finditer(text):
            yield Finding(*m.span(), "email")
    if "://" in text or "www." in text:
        yield from _urls(text)
    if "." in text:
        yield from _addresses(text, _IP4)
    if "::" in text or text.count(":") >= 3:
        yield from _addresses(text, _IP6)


def _urls(text: str) -> Iterator[Finding]:
    for pattern in (_CREDENTIAL_URL, _TOKEN_URL):
        for m in pattern.finditer(text):
            yield Finding(m.start(), m.start() + len(m[0].rstrip(_URL_END)), "credential_url")
    for m in _URL.finditer(text):
        yield Finding(m.start(), m.start() + len(m[0].rstrip(_URL_END)), "url")


def _addresses(text: str, pattern: re.Pattern[str]) -> Iterator[Finding]:
    for m in pattern.finditer(text):
        try:
            address = ipaddress.ip_address(m[0])
        except ValueError:
            continue
        if pattern is _IP4 and _VERSION_BEFORE.search(text, max(0, m.start() - 24), m.start()):
            continue
        if pattern is _IP6 and ((m[0].count(":") < 3 and "::" not in m[0]) or len(m[0]) < 4):
            continue
        if not (address.is_unspecified or address.is_loopback):
            yield Finding(*m.span(), "ip_address")
