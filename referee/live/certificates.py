"""HTTPS for phones: a certificate authority of this computer's own, and a certificate for its addresses.

Phones give camera and microphone to HTTPS pages alone. The authority is made once and kept; people install its
certificate on their phones. It may sign for private addresses and local names only, so that nobody who steals it
can pretend to be any other site. The certificate itself is short-lived (Apple refuses more than 825 days) and made
anew when it ages or addresses change.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from referee.errors import UsageError
from referee.live.keys import write_private

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

AUTHORITY_DAYS = 3650
LEAF_DAYS = 90
"""Far below Apple's 825 days for a user's own authority (398 for public ones); renewed by itself."""
RENEWED_DAYS = 30
"""A certificate with less than this left is made anew."""
EARLIER = dt.timedelta(days=1)
"""Clocks of phones differ."""
PRIVATE = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "100.64.0.0/10",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
)
LOCAL_NAMES = ("localhost", "local", "lan", "home.arpa", "internal")
"""Names the authority may sign for: these and everything below them."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The files of a server's identity."""

    certificate: Path
    key: Path
    authority: Path | None
    """The authority's certificate, for phones; None if an own certificate was given."""

    def context(self) -> ssl.SSLContext:
        """What the server listens with.

        Raises:
            UsageError: certificate and key cannot be used.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            context.load_cert_chain(self.certificate, self.key)
        except (OSError, ssl.SSLError) as error:
            raise UsageError(f"{self.certificate}: this certificate cannot be used with its key ({error})") from None
        return context


def identity(folder: Path, hosts: list[str], now: dt.datetime | None = None) -> Identity:
    """This computer's identity for these addresses and names, made or renewed where needed.

    Raises:
        UsageError: it cannot be kept in `folder`.
    """
    now = now or dt.datetime.now(dt.UTC)
    files = Identity(folder / "server.pem", folder / "server.key", folder / "authority.pem")
    try:
        authority, signer = _authority(folder, now)
        if not _still_good(files, hosts, authority, now):
            _issue(files, hosts, authority, signer, now)
    except OSError as error:
        raise UsageError(f"cannot keep a certificate in {folder}: {error.strerror}") from None
    return files


def _authority(folder: Path, now: dt.datetime) -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    """The kept authority, or a new one."""
    certificate, key = folder / "authority.pem", folder / "authority.key"
    try:
        kept = x509.load_pem_x509_certificate(certificate.read_bytes())
        signer = serialization.load_pem_private_key(key.read_bytes(), None)
        if isinstance(signer, ec.EllipticCurvePrivateKey) and kept.not_valid_after_utc > now + dt.timedelta(
            days=LEAF_DAYS
        ):
            return kept, signer
    except (OSError, ValueError):
        pass
    signer = ec.generate_private_key(ec.SECP256R1())
    made = _new_authority(signer, now)
    write_private(key, _private(signer))
    write_private(certificate, made.public_bytes(serialization.Encoding.PEM))
    return made, signer


def _new_authority(signer: EllipticCurvePrivateKey, now: dt.datetime) -> x509.Certificate:
    mark = x509.SubjectKeyIdentifier.from_public_key(signer.public_key())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Referee at home {mark.digest.hex()[:6]}")])
    allowed: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(net)) for net in PRIVATE]
    allowed += [x509.DNSName(name) for name in LOCAL_NAMES]
    return (
        _builder(name, name, signer, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=allowed, excluded_subtrees=None), critical=True)
        .add_extension(mark, critical=False)
        .sign(signer, hashes.SHA256())
    )


def _issue(
    files: Identity, hosts: list[str], authority: x509.Certificate, signer: EllipticCurvePrivateKey, now: dt.datetime
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Referee")])
    made = (
        _builder(name, authority.subject, key, now, LEAF_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general(host) for host in hosts]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .sign(signer, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    write_private(files.key, _private(key))
    write_private(files.certificate, made.public_bytes(pem) + authority.public_bytes(pem))


def _builder(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey, now: dt.datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + dt.timedelta(days=days))
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    no = dict.fromkeys(("content_commitment", "key_encipherment", "data_encipherment", "key_agreement"), False)
    return x509.KeyUsage(
        digital_signature=not signs, key_cert_sign=signs, crl_sign=signs, encipher_only=False, decipher_only=False, **no
    )


def _still_good(files: Identity, hosts: list[str], authority: x509.Certificate, now: dt.datetime) -> bool:
    """Whether the kept certificate covers these hosts, has time left and is this authority's."""
    try:
        kept = x509.load_pem_x509_certificate(files.certificate.read_bytes())
        names = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        kept.verify_directly_issued_by(authority)
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound, Exception):  # noqa: BLE001  whatever is wrong: anew
        return False
    soon = now + dt.timedelta(days=RENEWED_DAYS)
    return kept.not_valid_after_utc > soon and {_general(h) for h in hosts} <= set(names) and files.key.exists()


def _general(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _private(key: EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
