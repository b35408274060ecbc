"""The model libraries: imported when first needed, with an error that says how to get them."""

from __future__ import annotations

from typing import Any

from lexsi_nb.errors import LexsiError, MissingExtra

MODEL_TYPES = ("LightGBM", "XGBoost")


def lightgbm() -> Any:
    """Return the lightgbm module.

    Raises: MissingExtra: not installed; LexsiError: the system lacks OpenMP, with the package that brings it.
    """
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtra.of("lightgbm", "model", "The embedded backend trains with it.") from error
    except OSError as error:
        raise broken(error) from error
    return lightgbm


def broken(error: OSError) -> LexsiError:
    """Return what is wrong when the shared library of lightgbm cannot be loaded."""
    if "gomp" in str(error) or "libomp" in str(error):
        return LexsiError(
            "lightgbm cannot start: the system has no OpenMP library.",
            f"({error})",
            "Install it: `apt-get install libgomp1` (Debian, Ubuntu), `dnf install libgomp` (Fedora, RHEL) "
            "or `brew install libomp` (macOS); then restart the kernel.",
        )
    return LexsiError("lightgbm cannot start.", f"({error})", "Reinstall it: %pip install --force-reinstall lightgbm")


def model_library(model_type: str) -> str:
    """Return the canonical name of `model_type`, known and installed.

    Raises: LexsiError: unknown, lists the known ones; MissingExtra: the exact `%pip` line.
    """
    by_lower = {name.lower(): name for name in MODEL_TYPES}
    name = by_lower.get(model_type.strip().lower())
    if name is None:
        raise LexsiError(
            f"No model type {model_type!r} in the embedded backend.",
            f"There is: {', '.join(MODEL_TYPES)}.",
            'Leave model_type out for "LightGBM".',
        )
    if name == "XGBoost":
        from importlib.util import find_spec

        if find_spec("xgboost") is None:
            raise MissingExtra.of("xgboost", "xgboost", 'It is needed for model_type="XGBoost".')
        raise LexsiError(
            "The embedded backend does not train XGBoost yet.", "It trains LightGBM.", "Leave model_type out."
        )
    return name
