"""A host's certificate: made at first start, signed by itself, known by its fingerprint.

No authority vouches for a machine on a home network. What ties the certificate to the host is its
fingerprint, which the proof of the join code names (`codes`) and a guest's ticket keeps for his return.
"""

from __future__ import annotations

import hashlib
import os
import ssl
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

FILE_NAME: Final = "identity.pem"
SIZE_LIMIT: Final = 64 * 1024  # bytes; such a file has about one thousand
# A new certificate makes a host a stranger to all who have a ticket of his, so it is made to last.
VALID: Final = timedelta(days=20 * 365)
# Clocks of game machines are wrong at times, mostly after a flat battery.
BACKDATED: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a host shows to its guests.

    Certificate and key are in one file, so that no crash or second program can leave a pair that does not
    belong together. `fingerprint` is the SHA-256 of the certificate in 64 hexadecimal digits.
    """

    certificate_path: Path
    key_path: Path
    fingerprint: str


def load_identity(folder: Path) -> Identity:
    """Return the identity kept in a folder, made there if none is, or if it is damaged or out of date.

    Raises OSError where it can be neither read nor written.
    """
    path = folder / FILE_NAME
    # Before it is read: what another program makes from now on is not what was found damaged.
    was_there = path.exists()
    fingerprint = _read(path)
    if fingerprint is None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(path, _make(), is_damaged=was_there)
        fingerprint = _read(path)
        if fingerprint is None:
            raise OSError(f"{path} cannot be read back after writing")
    with suppress(OSError):  # file systems without permissions
        path.chmod(0o600)
    return Identity(path, path, fingerprint)


def host_context(identity: Identity) -> ssl.SSLContext:
    """Return how a host speaks TLS; raises OSError (ssl.SSLError too) if the file has gone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(identity.certificate_path, identity.key_path)
    return context


def guest_context() -> ssl.SSLContext:
    """Return how a guest speaks TLS: any certificate is taken, and its fingerprint is his to check."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def fingerprint_of(der: bytes) -> str:
    """Return the fingerprint of a certificate as `getpeercert(True)` gives it."""
    return hashlib.sha256(der).hexdigest()


def _read(path: Path) -> str | None:
    """Return the fingerprint of a good identity in a file, or None."""
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

    try:
        with path.open("rb") as stream:
            raw = stream.read(SIZE_LIMIT)
    except FileNotFoundError:
        return None
    try:
        certificate = x509.load_pem_x509_certificate(raw)
        key = load_pem_private_key(raw, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None
    now = datetime.now(UTC)
    if not certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc:
        return None
    if certificate.public_key() != key.public_key():
        return None
    with suppress(ssl.SSLError):
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(path)
        return fingerprint_of(certificate.public_bytes(Encoding.DER))
    return None


def _make() -> bytes:
    """Return a new key and its certificate as PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    # The same name for all: a certificate tells strangers nothing about the machine or its owner.
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kungfu2100")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now + VALID)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + certificate.public_bytes(
        Encoding.PEM
    )


def _write(path: Path, raw: bytes, *, is_damaged: bool) -> None:
    """Put an identity into its file, at no moment readable for others or half written.

    Where two programs start for the first time at once, the first one's stays.
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
        if is_damaged:
            Path(temporary).replace(path)
        else:
            try:
                path.hardlink_to(temporary)
            except FileExistsError:
                return
            except OSError:  # file systems without links
                Path(temporary).replace(path)
    finally:
        with suppress(OSError):
            Path(temporary).unlink()
