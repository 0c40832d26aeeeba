"""A host's certificate: made once, kept to itself, mended when it is spoilt."""

from __future__ import annotations

import asyncio
import ssl
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.lan import certificate
from app.lan.certificate import fingerprint_of, guest_context, host_context, load_identity


def test_an_identity_is_made_once_and_stays(tmp_path: Path) -> None:
    """A host keeps its fingerprint, or nobody's ticket would lead back to it."""
    first = load_identity(tmp_path / "lan")
    assert load_identity(tmp_path / "lan") == first
    assert len(first.fingerprint) == 64
    assert load_identity(tmp_path / "other").fingerprint != first.fingerprint
    assert [path.name for path in (tmp_path / "lan").iterdir()] == [certificate.FILE_NAME]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_nobody_else_on_the_machine_can_read_the_key(tmp_path: Path) -> None:
    """The file is its owner's alone, also when it was opened to all by some copying."""
    path = load_identity(tmp_path / "lan").key_path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    load_identity(tmp_path / "lan")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "no key", "key of another", "huge"])
def test_a_damaged_identity_is_made_again(tmp_path: Path, damage: str) -> None:
    """A spoilt file keeps nobody from hosting."""
    first = load_identity(tmp_path)
    path = first.key_path
    raw = path.read_bytes()
    certificate_at = raw.index(b"-----BEGIN CERTIFICATE")
    other = load_identity(tmp_path / "other").key_path.read_bytes()
    path.write_bytes(
        {
            "empty": b"",
            "cut": raw[: len(raw) // 2],
            "noise": bytes(range(256)) * 8,
            "no key": raw[certificate_at:],
            "key of another": other[: other.index(b"-----BEGIN CERTIFICATE")] + raw[certificate_at:],
            "huge": b"A" * 1_000_000,
        }[damage]
    )
    second = load_identity(tmp_path)
    assert second.fingerprint != first.fingerprint
    assert load_identity(tmp_path) == second
    host_context(second)


def test_an_identity_out_of_date_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate that has expired, or is of the future by a wrong clock, is replaced."""
    monkeypatch.setattr(certificate, "VALID", timedelta(seconds=-1))
    old = certificate._make()
    monkeypatch.undo()
    monkeypatch.setattr(certificate, "BACKDATED", timedelta(days=-2))
    early = certificate._make()
    monkeypatch.undo()
    for raw in (old, early):
        (tmp_path / certificate.FILE_NAME).write_bytes(raw)
        identity = load_identity(tmp_path)
        assert raw != identity.key_path.read_bytes()


def test_a_certificate_lasts_for_many_years_and_names_no_machine(tmp_path: Path) -> None:
    """It outlives any game, and tells a stranger nothing about whose it is."""
    from cryptography import x509

    made = x509.load_pem_x509_certificate(load_identity(tmp_path).certificate_path.read_bytes())
    assert made.not_valid_after_utc > datetime.now(UTC) + timedelta(days=365 * 15)
    assert made.subject.rfc4514_string() == "CN=kungfu2100"


def test_programs_that_start_at_once_have_one_identity(tmp_path: Path) -> None:
    """A window and a server started together for the first time show the same certificate."""
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: load_identity(tmp_path / "lan"), range(8)))
    assert len({identity.fingerprint for identity in made}) == 1
    assert len(list((tmp_path / "lan").iterdir())) == 1


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A file where the folder should be is an OSError, which the window can show."""
    (tmp_path / "lan").write_text("no folder")
    with pytest.raises(OSError):
        load_identity(tmp_path / "lan")


async def _fingerprint_shown(folder: Path, version: ssl.TLSVersion | None) -> str:
    identity = load_identity(folder)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=host_context(identity))
    async with server:
        context = guest_context()
        if version is not None:
            context.minimum_version, context.maximum_version = version, version
        port = server.sockets[0].getsockname()[1]
        _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
        shown = writer.get_extra_info("ssl_object").getpeercert(True)
        writer.close()
        return fingerprint_of(shown)


def test_a_guest_sees_the_fingerprint_of_the_host(tmp_path: Path) -> None:
    """What TLS shows to a guest is what the host binds to its code."""
    shown = asyncio.run(_fingerprint_shown(tmp_path, None))
    assert shown == load_identity(tmp_path).fingerprint


def test_an_older_tls_is_not_spoken(tmp_path: Path) -> None:
    """TLS 1.2, which shows the certificate to everybody, is refused."""
    with pytest.raises((ssl.SSLError, ConnectionError)):
        asyncio.run(_fingerprint_shown(tmp_path, ssl.TLSVersion.TLSv1_2))
