"""What went wrong with a model, as one line with the remedy."""

from __future__ import annotations

from typing import Any

from lexsi_nb.egress.redaction import redact
from lexsi_nb.errors import LexsiError
from lexsi_nb.planners.choice import ModelChoice
from lexsi_nb.planners.suggestions import near_models

SAID = 200  # characters of the provider's own words
# What the libraries of HTTP call a reply that stopped before its end.
BROKEN = ("RemoteProtocolError", "ReadError", "IncompleteRead", "ProtocolError", "ResponseStreamingError")
# What boto3 calls credentials that are not there, not whole, or have run out.
NO_CREDENTIALS = (
    "NoCredentialsError", "PartialCredentialsError", "CredentialRetrievalError", "ProfileNotFound",
    "TokenRetrievalError", "NoAuthTokenError", "SSOError", "SSOTokenLoadError", "UnauthorizedSSOTokenError",
    "RefreshWithMFAUnsupportedError", "MetadataRetrievalError", "InvalidConfigError",
)  # fmt: skip


class ModelFailed(LexsiError):
    """A model gave no usable reply. What the run had made so far is kept."""


def explained(error: BaseException, choice: ModelChoice) -> LexsiError:
    """Return an error of the provider's library as one of ours; one of ours that hides in its causes comes back."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, LexsiError):
            return cause
        cause = cause.__cause__
    what, why, remedy = _line(error, choice)
    return ModelFailed(what, redact(why), remedy)


def _line(error: BaseException, choice: ModelChoice) -> tuple[str, str, str]:
    from pydantic_ai import exceptions as e

    name, said = choice.name, _said(error)
    address = choice.address or choice.provider.capitalize()
    if _redirected(error):
        return f"{address} redirects, which is not followed.", "", "Write the final address: --url"
    if isinstance(error, e.ModelAuthenticationError):
        return f"{name} refused the key.", said, "Check the key, or choose another model: %lexsi model"
    if isinstance(error, e.ModelQuotaExceededError):
        return f"{name}: the account has no credit left.", said, "Top it up, or choose another model: %lexsi model"
    if isinstance(error, e.ModelContextWindowExceededError):
        return (
            f"The conversation is too long for {name}.",
            said,
            "Start anew with %lexsi reset, ask about fewer tables, or choose a model with a larger window.",
        )
    if isinstance(error, e.ModelNotFoundError):
        near = near_models(choice)
        tip = f"Nearest: {', '.join(near)}. " if near else ""
        return f"There is no model {name} at {address}.", said, f"{tip}Choose one with %lexsi model"
    if isinstance(error, e.ModelRateLimitError):
        wait = f" It asks to wait {error.retry_after:g} s." if error.retry_after else ""
        return f"{name} limits the rate of requests.{wait}", said, "Ask again later."
    if isinstance(error, (e.ModelTimeoutError, e.ModelRequestTimeout)):
        return (
            f"{name} did not answer within {choice.timeout:g} s.",
            "",
            f"Ask again, or give it longer: %lexsi model {name} --timeout {choice.timeout * 2:g}",
        )
    if isinstance(error, e.ModelConnectionError):
        if _broke_off(error):
            return f"The reply of {name} broke off.", said, "Ask again."
        return f"{address} cannot be reached.", said, "Check network, proxy and address, or: %lexsi model off"
    if isinstance(error, (e.ModelUnavailableError, e.ModelServerError)):
        return f"{name} has a fault of its own.", said, "Ask again later, or choose another model: %lexsi model"
    if choice.provider == "bedrock" and type(error).__name__ in NO_CREDENTIALS:
        return (
            f"There are no credentials of AWS for {name}.",
            said,
            "Sign in as your AWS profile says (aws sso login), or name one in AWS_PROFILE before the kernel starts.",
        )
    if isinstance(error, e.ContentFilterError):
        return f"{name} refused the content.", said, "Word the question otherwise."
    if isinstance(error, e.ModelHTTPError):
        return f"{name} refused the request (HTTP {error.status_code}).", said, "Check the options: %lexsi model"
    if isinstance(error, e.UserError):
        return f"{name} cannot be called like this.", said, "Check the options: %lexsi model"
    return f"{name} sent a reply that cannot be read.", said, "Ask again, or choose another model: %lexsi model"


def _said(error: BaseException) -> str:
    """Return the provider's own words, short and on one line."""
    body: Any = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body.get("Error", body))  # boto3 writes them large
        body = inner.get("message", inner.get("Message")) if isinstance(inner, dict) else inner
    if not isinstance(body, str) or not body.strip():
        body = "" if getattr(error, "status_code", None) else str(error) or type(error).__name__
    text = " ".join(body.split())
    text = text if len(text) <= SAID else f"{text[: SAID - 3]}..."
    return f"It said: {text.rstrip('.')}." if text else ""


def _redirected(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        code = getattr(cause, "status_code", None)
        if isinstance(code, int) and 300 <= code < 400:
            return True
        cause = cause.__cause__
    return False


def _broke_off(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if type(cause).__name__ in BROKEN:
            return True
        cause = cause.__cause__
    return False
