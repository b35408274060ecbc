"""What a model backend is, and the frozen results that every backend hands back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.artifacts.results import Reason

if TYPE_CHECKING:
    import pandas as pd

Task = Literal["classification", "multiclass", "regression"]
Tick = Callable[[int, int, str], None]  # done, total, stage
Cancelled = Callable[[], bool]

# Role -> variable that the emitted cells bind, unless TrainSpec.names says otherwise.
NAMES: Mapping[str, str] = {
    "model": "model",
    "quality": "quality",
    "predictions": "predictions",
    "attributions": "attributions",
    "check": "check",
    "out_of_fold": "out_of_fold",
}
TOO_FEW = "too few cases to tell"
NOTABLE = 0.01  # what a plain regression is better by before it is recommended


def no_tick(done: int, total: int, stage: str) -> None:
    """Return nothing: progress that nobody watches."""


def never() -> bool:
    """Return False: nobody can cancel."""
    return False


@dataclass(frozen=True)
class TrainSpec:
    """What to learn, from which columns, and which variable names the cells use.

    `features=None` means every column that the audit lets through. `exclude` maps a column to the reason that
    is shown. `positive` is the class whose probability is predicted; None picks 1, True, "yes" or the rarer class. With
    3 to 20 classes a classification trains one model of all of them, whose task is "multiclass"; `positive` then only
    ranks. `sample_percentage` of the rows are learned from (None: all). Cross-validation is repeated `repeats` times
    (None: as the size of the frame allows). `dates`: whether date columns are expanded, else they are left out.
    `calibrate`: None calibrates from 200 cases of the rarer class where that is no loss; True from 50; False never.
    `time_limit`: seconds after which training stops with an error. `model_name`: a name for the user's reference.
    """

    target: str
    entity: str | None = None
    task: Task = "classification"
    frame_name: str = "context_df"
    features: tuple[str, ...] | None = None
    time_column: str | None = None
    exclude: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    model_type: str = "LightGBM"
    positive: Any = None
    sample_percentage: float | None = None
    repeats: int | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    dates: bool = True
    calibrate: bool | None = None
    time_limit: float | None = None
    model_name: str | None = None

    def name(self, role: str) -> str:
        """Return the variable name for `role`."""
        return self.names.get(role, NAMES[role])


@dataclass(frozen=True)
class Beside:
    """A logistic (or linear) regression on the same splits. `more`: the model's measure less its, with 95% interval."""

    kind: str
    value: float
    more: float
    low: float
    high: float
    text: str

    @property
    def as_good(self) -> bool:
        """Whether the model is not shown to be better."""
        return self.low <= 0

    @property
    def is_better(self) -> bool:
        """Whether the plain regression is shown to be better, by as much as matters."""
        return self.high < 0 and self.more <= -NOTABLE


@dataclass(frozen=True)
class Calibration:
    """Log-odds = intercept + slope * raw score, fitted on out-of-fold scores; `used` where it is no loss."""

    intercept: float
    slope: float
    used: bool


@dataclass(frozen=True)
class OutOfTime:
    """Trained on the earlier rows, measured on the later ones; `value` is None where there are too few cases."""

    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    cut: str = ""
    n_earlier: int = 0
    n_later: int = 0
    positives_earlier: int = 0
    positives_later: int = 0


@dataclass(frozen=True)
class Quality:
    """How well the model does on rows it was not trained on, with spread, baseline and case counts.

    `value` is the mean over the repeats of `metric` (AUC or R2); `sd` its spread over repeats; `low`, `high` the 95%
    interval by `method`, which reflects the sampling of cases. `scores` maps another measure to (model, baseline).
    `frame` is what the quality cell binds: one row a measure.
    """

    task: Task
    metric: str
    value: float
    sd: float
    low: float
    high: float
    method: str
    folds: int
    repeats: int
    baseline: float
    baseline_text: str
    scores: Mapping[str, tuple[float, float]]
    out_of_time: OutOfTime
    calibration: str
    headline: str
    enough: bool
    n_rows: int
    n_positive: int | None
    frame: pd.DataFrame
    beside: Beside | None = None
    platt: Calibration | None = None
    lift: tuple[tuple[int, float, int, int], ...] = ()  # (top percent, lift, rows, cases among them)
    by_class: str = ""  # of several classes: how each is told from the rest

    @property
    def in_brief(self) -> str:
        """The measure with its interval: `AUC 0.70 (0.59-0.80)`."""
        return f"{self.metric} {self.value:.2f} ({self.low:.2f}-{self.high:.2f})"

    @property
    def verdict(self) -> str:
        """What the intervals allow to say: `Better than guessing; not clearly better than a logistic regression.`"""
        said = f"{'Better' if self.low > self.baseline else 'Not clearly better'} than {self.baseline_text}"
        if self.beside is None:
            return f"{said}."
        how = "worse" if self.beside.is_better else "not clearly better" if self.beside.as_good else "better"
        return f"{said}; {how} than a {self.beside.kind}."

    @property
    def text(self) -> str:
        """One line: `AUC 0.70 (0.59-0.80, 95% DeLong; sd 0.012 over 20 repeats), guessing 0.50; 31 of 234 cases`."""
        cases = f"{self.n_positive} of {self.n_rows} cases" if self.n_positive is not None else f"{self.n_rows} cases"
        interval = f"{self.low:.2f}-{self.high:.2f}, 95% {self.method}"
        if self.sd == self.sd:  # one repeat has no spread
            interval += f"; sd {self.sd:.3f} over {self.repeats} repeats"
        return f"{self.metric} {self.value:.2f} ({interval}), {self.baseline_text} {self.baseline:.2f}; {cases}"


@dataclass(frozen=True)
class Trained:
    """A trained model and everything that is known about how it came about.

    `categories` maps a word feature to the values seen in training; `training` holds the numbers of the labelled
    rows by numeric feature and `gaps` how many labelled rows lack a word feature, both for the extrapolation check;
    `train_ids` the entity ids that were learned from; `model_type` the library that made the model. `classes`: the
    classes of a multiclass model in the order of its columns. `dates`: the date features, each read as its parts;
    `moment` the column that days are counted back from. `out_of_fold`: entity, outcome and mean score of rows by fits
    that have not seen them, where there are at least 50 cases. `calibrated`: scores go through the calibration.
    """

    model_id: str
    model: Any
    features: tuple[str, ...]
    categories: Mapping[str, tuple[str, ...]]
    task: Task
    target: str
    entity: str | None
    positive: Any
    left_out: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    quality: Quality
    card: Mapping[str, Any]
    cells: tuple[CodeCell, ...]
    frame_name: str
    n_rows: int
    n_positive: int | None
    names: Mapping[str, str] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict, repr=False)
    gaps: Mapping[Any, int] = field(default_factory=dict, repr=False)
    train_ids: frozenset[Any] = field(default=frozenset(), repr=False)
    model_type: str = "LightGBM"
    classes: tuple[Any, ...] = ()
    dates: tuple[Any, ...] = ()
    moment: Any = None
    out_of_fold: pd.DataFrame | None = field(default=None, repr=False)
    model_name: str | None = None

    @property
    def calibrated(self) -> bool:
        """Whether scores are calibrated."""
        return self.quality.platt is not None and self.quality.platt.used

    def name(self, role: str) -> str:
        """Return the variable name for `role`."""
        return self.names.get(role, NAMES[role])


@dataclass(frozen=True)
class Extrapolation:
    """A range of a feature where many rows are scored and few were learned from."""

    feature: str
    side: Literal["at least", "at most", "missing"]
    threshold: float | None
    scored: int
    n_scored: int
    labelled: int
    n_labelled: int

    @property
    def text(self) -> str:
        """The same of rows: what a planner reads, and a program."""
        return self.words("rows to score")

    def words(self, cases: str) -> str:
        """Return it of `cases`: `266 of the 403 loans have duration 48 or more; the model saw only 17 such of 234.`"""
        if self.side == "missing":
            what = f"no {self.feature}"
        else:
            what = f"{self.feature} {self.threshold:,.6g} or {'more' if self.side == 'at least' else 'less'}"
        seen = f"{f'only {self.labelled:,}' if self.labelled else 'none'} such of {self.n_labelled:,}"
        return f"{self.scored:,} of the {self.n_scored:,} {cases} have {what}; the model saw {seen}."


@dataclass(frozen=True)
class Predicted:
    """Scored rows, highest first.

    `frame`: the entity, the kept columns, `score_column` (probability: float64 in [0, 1]; prediction for a
    regression) and `rank_column` (1 is the highest). Ties are in entity order. With several classes the score is the
    probability of the likeliest class, which stands in `predicted_column`, or of the class that ranks; `class_columns`
    have the probability of each class.
    """

    model_id: str
    frame: pd.DataFrame
    entity: str
    score_column: str
    rank_column: str
    cell: CodeCell
    frame_name: str
    variable: str
    warnings: tuple[str, ...] = ()
    extrapolations: tuple[Extrapolation, ...] = ()
    predicted_column: str = ""
    class_columns: tuple[str, ...] = ()

    def tie_at(self, top_k: int) -> str:
        """Return the sentence that the first `top_k` end among equal scores, or "" where they do not."""
        scores = self.frame[self.score_column]
        if not 0 < top_k < len(scores) or scores.iloc[top_k - 1] != scores.iloc[top_k]:
            return ""
        equal = int((scores == scores.iloc[top_k - 1]).sum())
        return f"{equal:,} rows share the score at rank {top_k}: which of them are shown follows {self.entity} order."


@dataclass(frozen=True)
class CaseReasons:
    """One case: base value + all contributions == raw score; the strongest of them each way, strongest first."""

    case_id: Any
    score: float
    base_value: float
    raw_score: float
    raises: tuple[Reason, ...]
    lowers: tuple[Reason, ...]
    predicted: Any = None  # the class that the contributions are for, where there are several


@dataclass(frozen=True)
class Explained:
    """Exact TreeSHAP attributions.

    `frame`: the entity, `base_column`, one column a feature, `raw_column`; a row a case, in the order asked.
    `unit` is "log-odds" for a classification, the target's own unit for a regression. With several classes the
    contributions are those of the likeliest class of each case, which stands in `class_column`, the last one.
    `importance` is the mean absolute contribution a feature over these cases, largest first.
    """

    model_id: str
    frame: pd.DataFrame
    entity: str
    base_column: str
    raw_column: str
    unit: str
    cases: tuple[CaseReasons, ...]
    importance: tuple[tuple[str, float], ...]
    cell: CodeCell
    frame_name: str
    variable: str
    warnings: tuple[str, ...] = ()
    class_column: str = ""

    def case(self, case_id: Any) -> CaseReasons:
        """Return the reasons of one case. Raises KeyError: it was not asked for."""
        for c in self.cases:
            if c.case_id == case_id or str(c.case_id) == str(case_id):
                return c
        raise KeyError(case_id)


@dataclass(frozen=True)
class Checked:
    """How well the model tells a held-back group of known cases from another group; neither was trained on."""

    auc: float
    low: float
    high: float
    method: str
    n_held: int
    n_against: int
    text: str
    cell: CodeCell
    variable: str


class Backend(Protocol):
    """Where models are trained: on this machine, or hosted. Same calls, same results.

    `local` says that nothing leaves the machine. What calls of another one send and cost is asked about first.
    """

    name: str
    local: bool

    def train(self, frame: Any, spec: TrainSpec, *, tick: Tick = no_tick, cancelled: Cancelled = never) -> Trained:
        """Return a trained model with its quality, audit and cells."""
        ...

    def predict(
        self, trained: Trained, frame: Any, *, frame_name: str = "predict_df", keep: Sequence[str] = (),
        tick: Tick = no_tick, cancelled: Cancelled = never,
    ) -> Predicted:  # fmt: skip
        """Return the rows of `frame` scored, highest first, with the columns `keep`."""
        ...

    def explain(
        self, trained: Trained, frame: Any, case_ids: Sequence[Any] | None = None, *,
        frame_name: str = "predict_df", top_reasons: int = 3, case_source: tuple[str, Any, int] | None = None,
        tick: Tick = no_tick, cancelled: Cancelled = never,
    ) -> Explained:  # fmt: skip
        """Return attributions of the cases (None: every row of `frame`).

        case_source: (variable, its frame, k) where the cases are the first k rows of that frame, so that the cell can
        read them off it; where they are not, the cell lists the ids.
        """
        ...

    def check(
        self, trained: Trained, held: Any, against: Any, *,
        held_name: str = "already_df", against_name: str = "predict_df",
        tick: Tick = no_tick, cancelled: Cancelled = never,
    ) -> Checked:  # fmt: skip
        """Return the AUC of the scores of `held` (known to be positive) against those of `against`."""
        ...
