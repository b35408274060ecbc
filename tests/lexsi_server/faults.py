"""Switches that make the stand-in misbehave as the platform may."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Faults:
    """What goes wrong from now on; `times` of 0 means always."""

    empty_details: str = ""  # part of a path: answered success false without a reason
    html: dict[str, tuple[int, int]] = field(default_factory=dict)  # part of a path -> (status, how many times)
    silent: str = ""  # part of a path: no answer at all, until the server is closed
    stalled: str = ""  # part of a path: its body is not read until the test lets it be (`Platform.unstall`)
    job: str | None = None  # jobs fail with this message, which may be ""
    job_logs: str = "ValueError: Target must have >=2 classes (#03-013)"
    cut_streams: int = 0  # so many event streams end before the job does
    job_never_made: bool = False  # the job ends without a model, and its stream without a word
    endless: bool = False  # jobs never end
    csv_is_json: bool = False  # the download answers 200 with an error as JSON
    lifetime: float | None = None  # seconds a bearer token is good for
    opaque_token: bool = False  # the bearer token is no JWT
    null_true_value: bool = False
    fractional_pred_value: bool = False
    case_seconds: float = 0.0  # that a case takes
    bad_case: str = ""  # this case cannot be explained
    connector_not_made: bool = False  # a connector is refused in the words of a success
    connector_fails: bool = False  # the test of a connector fails, with its secret in the words
    lost_rows: int = 0  # so many rows are missing in an inference

    def html_for(self, path: str) -> int | None:
        """Return the status of an HTML error to answer with, None for no fault; counts down."""
        for part, (status, times) in self.html.items():
            if part in path:
                if times == 1:
                    del self.html[part]
                elif times > 1:
                    self.html[part] = (status, times - 1)
                return status
        return None
