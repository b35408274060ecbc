"""Keys for S3: from arguments, a profile or the environment, and never in a text."""

from __future__ import annotations

import configparser
import os
from dataclasses import dataclass, field
from pathlib import Path

from lexsi_nb.errors import BadData, LexsiError

MASK = "[secret]"


@dataclass(frozen=True)
class Keys:
    """A key pair, or none: then the service's own chain of roles and files is asked."""

    access_key: str = field(default="", repr=False)
    secret_key: str = field(default="", repr=False)
    session_token: str = field(default="", repr=False)

    def given(self) -> dict[str, str]:
        """Return the keys as pyarrow's filesystem takes them; empty where there are none."""
        pair = {"access_key": self.access_key, "secret_key": self.secret_key, "session_token": self.session_token}
        return {k: v for k, v in pair.items() if v}

    def without(self, text: str) -> str:
        """Return a text with every key in it masked."""
        for value in self.given().values():
            text = text.replace(value, MASK)
        return text


def keys_for(access_key: str | None, secret_key: str | None, session_token: str | None, profile: str | None) -> Keys:
    """Return the keys given, else the profile's, else the environment's, else none.

    Raises:
        BadData: one half of a pair, or a profile that is not there or holds no keys.
    """
    access_key, secret_key = _unmasked(access_key), _unmasked(secret_key)
    if bool(access_key) != bool(secret_key):
        lacking = "aws_secret_access_key" if access_key else "aws_access_key_id"
        raise BadData(
            f"{lacking} is missing.", "A key pair has two parts.", "Pass both, or neither and set them outside."
        )
    if access_key and secret_key:
        return Keys(access_key, secret_key, _unmasked(session_token) or "")
    if profile:
        return _of_profile(profile)
    env = os.environ
    pair = env.get("AWS_ACCESS_KEY_ID", ""), env.get("AWS_SECRET_ACCESS_KEY", "")
    if all(pair):
        return Keys(*pair, _unmasked(session_token) or env.get("AWS_SESSION_TOKEN", ""))
    return Keys()


def _unmasked(value: str | None) -> str | None:
    """Return None for a value that was masked on its way here: a run that was parked keeps no keys."""
    return None if value is None or not value.strip() or value == MASK else value.strip()


def _of_profile(profile: str) -> Keys:
    """Return the keys of a profile of the AWS files, by boto3 where it is installed (roles, single sign-on)."""
    try:
        import boto3
    except ImportError:
        return _of_files(profile)
    try:
        found = boto3.Session(profile_name=profile).get_credentials()
        frozen = found.get_frozen_credentials() if found is not None else None
    except LexsiError:
        raise
    except Exception as e:  # noqa: BLE001 - botocore, sso and process providers each have errors of their own
        raise BadData(
            f"Profile {profile!r} gives no keys.", _line(e), "Check the AWS files, or sign in again."
        ) from None
    if frozen is None or not frozen.access_key:
        raise BadData(f"Profile {profile!r} gives no keys.", "", "Check the AWS files, or pass keys.")
    return Keys(frozen.access_key, frozen.secret_key or "", frozen.token or "")


def _of_files(profile: str) -> Keys:
    files = [
        Path(os.environ.get("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials")).expanduser(),
        Path(os.environ.get("AWS_CONFIG_FILE", "~/.aws/config")).expanduser(),
    ]
    known: list[str] = []
    for file, section in zip(
        files, (profile, "default" if profile == "default" else f"profile {profile}"), strict=True
    ):
        parser = configparser.RawConfigParser()
        try:
            parser.read(file, encoding="utf-8")
        except (OSError, configparser.Error) as e:
            raise BadData(f"{file} cannot be read.", _line(e), "Correct it.") from None
        known += [s.removeprefix("profile ") for s in parser.sections()]
        if parser.has_section(section) and parser.has_option(section, "aws_access_key_id"):
            get = lambda name, at=section, p=parser: p.get(at, name, fallback="")  # noqa: E731
            return Keys(get("aws_access_key_id"), get("aws_secret_access_key"), get("aws_session_token"))
    if profile in known:
        raise BadData(
            f"Profile {profile!r} holds no keys of its own.",
            "It names a role or a sign-on, which boto3 knows how to ask.",
            'Run: %pip install "lexsi-nb[aws]"',
        )
    there = f"There is: {', '.join(dict.fromkeys(known))}." if known else f"{files[0]} has none."
    raise BadData(f"No profile {profile!r}.", there, "Check the name.")


def _line(error: Exception) -> str:
    # A parser's error repeats the line it stumbled on, which may be a key.
    return (
        f"{type(error).__name__}." if isinstance(error, configparser.Error) else f"{str(error).splitlines()[0][:160]}."
    )
