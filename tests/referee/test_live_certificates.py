"""The certificate authority of a home: what phones ask of a certificate."""

import datetime as dt
import ipaddress

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from referee.errors import UsageError
from referee.live import addresses
from referee.live.certificates import Identity, identity

HOSTS = ["192.168.1.7", "127.0.0.1", "localhost", "table.local"]


def certificates(files):
    return x509.load_pem_x509_certificates(files.certificate.read_bytes())


def verify(files, host, at=None):
    authority = x509.load_pem_x509_certificate(files.authority.read_bytes())
    builder = PolicyBuilder().store(Store([authority])).time(at or dt.datetime.now(dt.UTC))
    leaf = certificates(files)[0]
    return builder.build_server_verifier(x509.DNSName(host)).verify(leaf, [])


def test_a_phone_that_trusts_the_authority_accepts_the_server(tmp_path):
    files = identity(tmp_path, HOSTS)
    verify(files, "table.local")
    files.context()


def test_it_speaks_for_no_other_name(tmp_path):
    files = identity(tmp_path, HOSTS)
    with pytest.raises(VerificationError):
        verify(files, "bank.example")


def test_the_authority_cannot_sign_for_the_internet(tmp_path):
    files = identity(tmp_path, [*HOSTS, "bank.example"])
    with pytest.raises(VerificationError):
        verify(files, "bank.example")


def test_what_apple_asks_for(tmp_path):
    leaf = certificates(identity(tmp_path, HOSTS))[0]
    assert (leaf.not_valid_after_utc - leaf.not_valid_before_utc).days <= 398
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(ip) for ip in names.get_values_for_type(x509.IPAddress)} == {"192.168.1.7", "127.0.0.1"}
    usage = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert ExtendedKeyUsageOID.SERVER_AUTH in usage
    assert leaf.signature_hash_algorithm.name == "sha256"


def test_it_is_kept_renewed_and_follows_addresses(tmp_path):
    first = certificates(identity(tmp_path, HOSTS))[0]
    assert certificates(identity(tmp_path, HOSTS))[0] == first
    moved = certificates(identity(tmp_path, [*HOSTS, "192.168.1.8"]))[0]
    assert moved != first
    later = dt.datetime.now(dt.UTC) + dt.timedelta(days=70)
    authority = (tmp_path / "authority.pem").read_bytes()
    assert certificates(identity(tmp_path, HOSTS, later))[0].not_valid_after_utc > later + dt.timedelta(days=60)
    assert (tmp_path / "authority.pem").read_bytes() == authority


def test_private_keys_are_for_their_owner_alone(tmp_path):
    identity(tmp_path, HOSTS)
    for name in ("authority.key", "server.key"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0


def test_a_key_that_does_not_fit_is_said(tmp_path):
    one, two = identity(tmp_path / "one", HOSTS), identity(tmp_path / "two", HOSTS)
    with pytest.raises(UsageError, match="cannot be used with its key"):
        Identity(one.certificate, two.key, None).context()


def test_spoilt_files_are_made_anew(tmp_path):
    identity(tmp_path, HOSTS)
    for file in tmp_path.iterdir():
        file.write_bytes(b"spoilt")
    verify(identity(tmp_path, HOSTS), "localhost")


def test_addresses_are_numbers():
    found = addresses.local_addresses()
    assert found
    assert all(str(ipaddress.ip_address(a)) == a for a in found)
