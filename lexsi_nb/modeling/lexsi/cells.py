"""The cells of a model on the platform: `lexsi_sdk` asks, pandas shapes the answer. None trains or uploads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lexsi_nb.artifacts.cells import CodeCell
from lexsi_nb.modeling.lexsi.normal import Answer
from lexsi_nb.modeling.quality_sources import AUC_MOVES
from lexsi_nb.modeling.source import literal, literals

ID_OF = '''\
def id_of(values):
    """Return ids as text, whole numbers without a decimal point."""
    return values.astype("string").str.replace(r"\\.0$", "", regex=True)


'''
R2_SPREAD = '''\
def r2(y, score):
    """Return the share of the variance that the scores explain."""
    return 1 - ((y - score) ** 2).sum() / ((y - y.mean()) ** 2).sum()


'''


@dataclass(frozen=True)
class Asked:
    """What the cells of one model ask the platform with."""

    organization: str
    workspace: str
    compute: str
    model: str  # variable of the model
    id_column: str
    answer: Answer
    parallel: int = 4

    @property
    def opened(self) -> list[str]:
        """The lines that open the project."""
        return [
            "lexsi.login()  # with the SDK access token in SDK_ACCESS_TOKEN",
            f"workspace = lexsi.organization({literal(self.organization)}).workspace({literal(self.workspace)})",
            f'project = workspace.project({self.model}["project"])',
        ]

    def scored(self, tag: str, variable: str = "scored") -> list[str]:
        """Return the lines that run the model on the rows of a tag; they were uploaded when it was first scored."""
        name = f'{self.model}["model_name"]'
        return [f"{variable} = project.model_inference({literal(self.compute)}, tag={literal(tag)}, model_name={name})"]

    def chance(self, scored: str = "scored") -> str:
        """Return the expression of the scores, a row of an answer."""
        column = f"{scored}[{literal(self.answer.score)}]"
        if self.answer.of_predicted:  # the probability of the predicted class
            yes = f'id_of({scored}[{literal(self.answer.predicted)}]) == "1"'
            return f"{column}.where({yes}, 1 - {column})"
        return column


def model_cell(model: dict[str, Any], rows: int, columns: Sequence[str], *, variable: str) -> CodeCell:
    """Return the cell that names the model on the platform."""
    listed = ", ".join(columns)
    source = [
        f"# This model is on the Lexsi platform, where it was trained on {rows:,} rows. The columns that were sent:",
        *[f"# {line}" for line in wrapped(listed)],
        "# The cell names it; it does not train again.",
        f"{variable} = {literals_of(model)}",
    ]
    return CodeCell("\n".join(source) + "\n", title="The model on Lexsi", kind="model", produces=(variable,))


def literals_of(model: dict[str, Any]) -> str:
    """Return the source of a dict of texts, one a line."""
    return "{\n" + "".join(f"    {literal(k)}: {literal(v)},\n" for k, v in model.items()) + "}"


def wrapped(text: str) -> list[str]:
    """Return a text in lines of at most 100 characters."""
    import textwrap

    return textwrap.wrap(text, 100, break_long_words=False, break_on_hyphens=False) or [""]


def outcomes(frame: str, entity: Any, by_entity: bool, target: Any) -> str:
    """Return the expression of the known outcomes by id."""
    if by_entity:
        return f"{frame}.set_index(id_of({frame}[{literal(entity)}]))[{literal(target)}]"
    return f"{frame}.set_index(id_of(pd.Series(range(len({frame})))).to_numpy())[{literal(target)}]"


def quality_cell(
    asked: Asked, tag: str, *, frame_name: str, lines: Sequence[str], rows: str, entity: Any, by_entity: bool,
    target: Any, positive: Any, regression: bool, baseline: float, variable: str, out_of_fold: str, seed: int,
) -> CodeCell:  # fmt: skip
    """Return the cell that measures the model on the rows that were held back from it."""
    known = outcomes(rows, entity, by_entity, target)
    y = "outcome.loc[ids].astype(\"float64\").to_numpy()" if regression else (
        f"(outcome.loc[ids] == {literal(positive)}).to_numpy(dtype=\"int64\")")  # fmt: skip
    columns = '["measure", "value", "baseline", "sd", "low", "high", "rows", "cases"]'
    made = [
        f"{out_of_fold} = pd.DataFrame({{{literal(asked.id_column)}: scored[{literal(asked.id_column)}], "
        f'"outcome": y, "score": score}})',
    ]
    body = [
        "# The model on Lexsi scores rows that it was not trained on.",
        *asked.opened,
        *asked.scored(tag),
        f"ids = id_of(scored[{literal(asked.id_column)}])",
        *lines,
        f"outcome = {known}",
        f"y = {y}",
        f'score = {asked.chance()}.to_numpy(dtype="float64")',
        *made,
    ]
    if regression:
        body += [
            f"draws = np.random.default_rng({seed}).integers(0, len(y), (500, len(y)))",
            "spread = np.quantile([r2(y[d], score[d]) for d in draws if np.ptp(y[d]) > 0], [0.025, 0.975])",
            f"off = np.abs(y - {literal(baseline)}).mean()  # guessing the mean of the rows learned from",
            f"{variable} = pd.DataFrame(",
            "    [",
            '        ["R2", r2(y, score), 0.0, np.nan, *spread, len(y), np.nan],',
            '        ["mean absolute error", np.abs(y - score).mean(), off, np.nan, np.nan, np.nan, len(y), np.nan],',
            "    ],",
            f"    columns={columns},",
            ")",
        ]
        functions = R2_SPREAD.split("\n")[:-1]
    else:
        body += [
            "auc, moves = auc_and_moves(y, score)",
            "half = 1.96 * np.sqrt((moves**2).sum())",
            "low, high = max(0, auc - half), min(1, auc + half)",
            f"p, guess = np.clip(score, 1e-6, 1 - 1e-6), {literal(baseline)}  # the rate of the rows learned from",
            "loss = -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean()",
            "brier = ((y - p) ** 2).mean()",
            "plain = -(y * np.log(guess) + (1 - y) * np.log(1 - guess)).mean()",
            'thirds = np.array_split(np.argsort(score, kind="stable"), 3)',
            'parts = {"mean score": np.arange(len(y)), **dict(zip(THIRDS, thirds))}',
            f"{variable} = pd.DataFrame(",
            "    [",
            '        ["AUC", auc, 0.5, np.nan, low, high, len(y), y.sum()],',
            '        ["log loss", loss, plain, np.nan, np.nan, np.nan, len(y), y.sum()],',
            '        ["Brier score", brier, ((y - guess) ** 2).mean(), np.nan, np.nan, np.nan, len(y), y.sum()],',
            "    ]",
            "    # Scores beside what was observed.",
            "    + [",
            "        [name, score[i].mean(), y[i].mean(), np.nan, np.nan, np.nan, len(i), y[i].sum()]",
            "        for name, i in parts.items()",
            "    ],",
            f"    columns={columns},",
            ")",
        ]
        listed = literals([f"mean score, {t} third" for t in ("lowest", "middle", "highest")])
        functions = [*f"THIRDS = {listed}".split("\n"), "", "", *AUC_MOVES.split("\n"), ""]
    return cell_of([*functions, *body], "How well the model does", "quality", (frame_name, asked.model),
                   (variable, out_of_fold))  # fmt: skip


def predict_cell(
    asked: Asked, tag: str, *, frame_name: str, lines: Sequence[str], rows: str, entity: Any, by_entity: bool,
    keep: Sequence[Any], score: str, rank: str, variable: str, sortable: bool, numbered: bool,
) -> CodeCell:  # fmt: skip
    """Return the cell that scores every row of a frame, highest first."""
    kept = literals(list(keep) if numbered else [entity, *keep])
    ids = f"id_of({rows}[{literal(entity)}])" if by_entity else f"id_of(pd.Series(range(len({rows}))))"
    column, name = literal(score), literal(entity)
    by = f"[{column}, {name}], ascending=[False, True]" if sortable else f'{column}, ascending=False, kind="stable"'
    body = [
        f"# The model on Lexsi scores the rows of {frame_name}, highest first.",
        *asked.opened,
        *asked.scored(tag),
        f'scores = {asked.chance()}.to_numpy(dtype="float64")',
        f"scores = pd.Series(scores, index=id_of(scored[{literal(asked.id_column)}]).to_numpy())",
        *lines,
        f"{variable} = {rows}[{kept}].copy()",
        *([f"{variable}.insert(0, {name}, list(range(len({variable}))))"] if numbered else []),
        f"{variable}[{column}] = scores.loc[{ids}.to_numpy()].to_numpy()",
        f"{variable} = {variable}.sort_values({by}, ignore_index=True)",
        f"{variable}[{literal(rank)}] = {variable}.index + 1",
    ]
    return cell_of(body, f"Score {frame_name}", "prediction", (frame_name, asked.model), (variable,))


def explain_cell(
    asked: Asked, tag: str, *, frame_name: str, entity: Any, ids: str, lines: Sequence[str], sent_ids: Sequence[str],
    features: Sequence[Any], base: str, raw: str, unit: str, variable: str,
) -> CodeCell:  # fmt: skip
    """Return the cell that asks the platform for the SHAP values of the cases.

    ids: source of their ids, a list; lines: what it needs before it.
    """
    raw_of = {
        "log-odds": "np.log(chances / (1 - chances))", "the score": "chances",
    }.get(unit, "contributions.sum(axis=1).to_numpy()")  # fmt: skip
    call = f'project.case_predict(case, tag={literal(tag)}, model_name={asked.model}["model_name"], xai=["shap"])'
    body = [
        "def shap_of(case):",
        '    """Return the SHAP values of one case, by feature."""',
        f"    values = {call}.shap_feature_importance or {{}}",
        "    nested = values and all(isinstance(v, dict) for v in values.values())",
        '    return (values.get("1") or list(values.values())[-1]) if nested else values',
        "",
        "",
        f"# What moved the scores of {len(sent_ids):,} rows of {frame_name}, by the platform's SHAP values.",
        *asked.opened,
        *f"cases = {literals(list(sent_ids))}".split("\n"),
        f"with ThreadPoolExecutor({asked.parallel}) as pool:",
        "    contributions = pd.DataFrame(list(pool.map(shap_of, cases)))",
        *f"features = {literals([str(f) for f in features])}".split("\n"),
        'contributions = contributions.reindex(columns=features).astype("float64").fillna(0.0)',
        *asked.scored(tag),
        f'chances = {asked.chance()}.to_numpy(dtype="float64")',
        f"chances = pd.Series(chances, index=id_of(scored[{literal(asked.id_column)}])).loc[cases].to_numpy()",
        *(["chances = np.clip(chances, 1e-9, 1 - 1e-9)"] if unit == "log-odds" else []),
        f"raw_score = {raw_of}",
        f"{variable} = contributions.copy()",
        f"{variable}.columns = {literals(list(features))}",
        *lines,
        *f"{variable}.insert(0, {literal(entity)}, {ids})".split("\n"),
        f"{variable}.insert(1, {literal(base)}, raw_score - contributions.sum(axis=1).to_numpy())",
        f"{variable}[{literal(raw)}] = raw_score",
    ]
    return cell_of(
        body, f"Explain {len(sent_ids):,} rows of {frame_name}", "explanation",
        (asked.model,) if ids.startswith("[") else (frame_name, asked.model), (variable,),
        more=("from concurrent.futures import ThreadPoolExecutor", ""),
    )  # fmt: skip


def check_cell(
    asked: Asked, tags: tuple[str, str], *, held_name: str, against_name: str, variable: str
) -> CodeCell:  # fmt: skip
    """Return the cell that tells how far the scores of one group lie above those of another."""
    body = [
        *AUC_MOVES.split("\n"), "",
        f"# How far the scores of {held_name} lie above those of {against_name}; neither was learned from.",
        *asked.opened,
        *asked.scored(tags[0], "held"),
        *asked.scored(tags[1], "against"),
        f"score = pd.concat([{asked.chance('held')}, {asked.chance('against')}]).to_numpy(dtype=\"float64\")",
        "y = np.repeat([1, 0], [len(held), len(against)])",
        "auc, moves = auc_and_moves(y, score)",
        "half = 1.96 * np.sqrt((moves**2).sum())",
        f'{variable} = pd.DataFrame({{"AUC": [auc], "low": [max(0, auc - half)], "high": [min(1, auc + half)]}})',
    ]  # fmt: skip
    return cell_of(body, "Check on cases not learned from", "quality", (asked.model,), (variable,))


def cell_of(
    body: Sequence[str], title: str, kind: Any, requires: tuple[str, ...], produces: tuple[str, ...],
    more: tuple[str, ...] = (),
) -> CodeCell:  # fmt: skip
    """Return a cell with its imports, and `id_of` where it is used."""
    text = "\n".join(body) + "\n"
    numpy = ["import numpy as np"] if "np." in text else []
    head = [*more, *numpy, "import pandas as pd", "from lexsi_sdk import lexsi", "", ""]
    if "id_of(" in text:
        head += ID_OF.split("\n")[:-1]
    return CodeCell("\n".join(head) + "\n" + text, title=title, kind=kind, requires=requires, produces=produces)
