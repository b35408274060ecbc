"""A made-up clinical trial: seven related tables, made from a seed; staff with mentors, visits with two days."""

from __future__ import annotations

import datetime as dt
from typing import Any, cast

import numpy as np
import pandas as pd

NAMES = """Adler Brandt Cohen Diaz Egger Farkas Grant Haas Ito Jovanovic Klein Lund Meyer Nowak Okoro Patel Quist Rojas
Sato Toth Usman Vidal Wolf Yildiz Zhang""".split()
FIRST = dt.date(2021, 3, 1)


def load() -> dict[str, pd.DataFrame]:
    """Return {table name: frame}."""
    r = np.random.default_rng(31415)
    sites = _sites()
    staff = _staff(r, sites)
    subjects = _subjects(r, sites)
    visits = _visits(r, subjects, staff)
    return {
        "sites": sites, "staff": staff, "subjects": subjects, "visits": visits, "lab_values": _lab_values(r, visits),
        "adverse_events": _adverse_events(r, subjects), "doses": _doses(r, subjects),
    }  # fmt: skip


def _sites() -> pd.DataFrame:
    rows = [
        ("S01", "Charité Berlin", "Germany", "Europe", 60, dt.date(2021, 2, 1)),
        ("S02", "Uniklinik Köln", "Germany", "Europe", 40, dt.date(2021, 4, 12)),
        ("S03", "Hospital Clínic Barcelona", "Spain", "Europe", 50, dt.date(2021, 3, 3)),
        ("S04", "Karolinska Stockholm", "Sweden", "Europe", 35, dt.date(2021, 9, 20)),
        ("S05", "Toronto General", "Canada", "North America", 70, dt.date(2021, 2, 15)),
        ("S06", "Mayo Rochester", "United States", "North America", 80, dt.date(2021, 6, 1)),
        ("S07", "Keio Tokyo", "Japan", "Asia", 30, dt.date(2022, 1, 10)),
        ("S08", "Seoul National", "South Korea", "Asia", 30, None),
    ]
    return pd.DataFrame(rows, columns=["site_id", "site_name", "country", "continent", "target_size", "activated_on"])


def _staff(r: np.random.Generator, sites: pd.DataFrame) -> pd.DataFrame:
    n = 44
    ids = np.arange(1, n + 1)
    mentor = [None if i <= 10 or r.random() < 0.3 else int(r.integers(1, 11)) for i in ids]
    return pd.DataFrame(
        {
            "staff_id": ids,
            "name": [f"{'ABCDEFGHIJ'[i % 10]}. {NAMES[(3 * i) % 25]}" for i in range(n)],
            "role": r.choice(["investigator", "study nurse", "coordinator", "pharmacist"], n, p=[0.3, 0.4, 0.2, 0.1]),
            "site_id": r.choice(sites.site_id.to_numpy()[:7], n),
            "mentor_id": pd.array(mentor, dtype="Int64"),
            "certified": r.random(n) < 0.7,
        }
    )


def _subjects(r: np.random.Generator, sites: pd.DataFrame) -> pd.DataFrame:
    n = 310
    start = [FIRST + dt.timedelta(int(x)) for x in np.sort(r.integers(0, 650, n))]
    gone = r.random(n) < 0.14
    why = r.choice(["adverse event", "lost to follow-up", "consent withdrawn"], n, p=[0.4, 0.25, 0.35])
    return pd.DataFrame(
        {
            "subject_id": [f"P{1000 + i}" for i in range(n)],
            "site_id": r.choice(sites.site_id.to_numpy()[:7], n, p=[0.2, 0.12, 0.15, 0.1, 0.18, 0.17, 0.08]),
            "arm": r.choice(["placebo", "low dose", "high dose"], n, p=[0.34, 0.33, 0.33]),
            "sex": r.choice(["F", "M"], n, p=[0.54, 0.46]),
            "age": r.integers(18, 81, n),
            "weight": np.round(r.normal(76, 14, n), 1),
            "smoker": r.choice(["never", "former", "current"], n, p=[0.55, 0.28, 0.17]),
            "enrolled_on": start,
            "withdrawn_on": [
                s + dt.timedelta(int(x)) if g else None
                for s, g, x in zip(start, gone, r.integers(10, 300, n), strict=True)
            ],
            "withdrawal_reason": [w if g else None for w, g in zip(why, gone, strict=True)],
        }
    )


def _visits(r: np.random.Generator, subjects: pd.DataFrame, staff: pd.DataFrame) -> pd.DataFrame:
    rows = []
    nurses = staff.staff_id.to_numpy()[:40]
    for s in cast(Any, subjects.itertuples()):
        for no in range(1, int(r.integers(4, 9))):
            planned = s.enrolled_on + dt.timedelta(30 * (no - 1))
            if s.withdrawn_on is not None and planned > s.withdrawn_on:
                break
            done = r.random() > 0.07
            actual = planned + dt.timedelta(int(r.integers(-4, 9))) if done else None
            rows.append((len(rows) + 1, s.subject_id, no, planned, actual, int(r.choice(nurses)) if done else None))
    frame = pd.DataFrame(rows, columns=["visit_id", "subject_id", "visit_no", "planned_on", "actual_on", "staff_id"])
    frame["staff_id"] = frame["staff_id"].astype("Int64")
    frame["remote"] = r.random(len(frame)) < 0.2
    return frame


def _lab_values(r: np.random.Generator, visits: pd.DataFrame) -> pd.DataFrame:
    rows = []
    tests = {"hemoglobin": (13.6, 1.4, "g/dL"), "glucose": (98.0, 17.0, "mg/dL"), "ldl": (121.0, 31.0, "mg/dL")}
    for v in cast(Any, visits[visits.actual_on.notna()].itertuples()):
        for test, (mean, spread, unit) in tests.items():
            if r.random() < 0.75:
                value = None if r.random() < 0.03 else round(float(r.normal(mean, spread)), 1)
                rows.append((len(rows) + 1, v.visit_id, test, value, unit, bool(r.random() < 0.12)))
    return pd.DataFrame(rows, columns=["lab_id", "visit_id", "test", "value", "unit", "flagged"])


def _adverse_events(r: np.random.Generator, subjects: pd.DataFrame) -> pd.DataFrame:
    n = 430
    who = r.integers(0, 270, n)
    onset = [
        subjects.enrolled_on.iloc[i] + dt.timedelta(int(x)) for i, x in zip(who, r.integers(0, 200, n), strict=True)
    ]
    over = [
        None if r.random() < 0.12 else d + dt.timedelta(int(x))
        for d, x in zip(onset, r.integers(1, 40, n), strict=True)
    ]
    return pd.DataFrame(
        {
            "event_id": np.arange(1, n + 1),
            "subject_id": subjects.subject_id.to_numpy()[who],
            "term": r.choice(["headache", "nausea", "rash", "fatigue", "fever", "dizziness"], n),
            "severity": r.choice(["mild", "moderate", "severe"], n, p=[0.6, 0.3, 0.1]),
            "serious": r.random(n) < 0.08,
            "related": r.choice(["yes", "no", "unknown"], n, p=[0.35, 0.5, 0.15]),
            "onset_on": onset,
            "resolved_on": over,
        }
    )


def _doses(r: np.random.Generator, subjects: pd.DataFrame) -> pd.DataFrame:
    n = 3600
    who = r.integers(0, 300, n)
    level = {"placebo": 0, "low dose": 20, "high dose": 60}
    return pd.DataFrame(
        {
            "dose_id": np.arange(1, n + 1),
            "subject_id": subjects.subject_id.to_numpy()[who],
            "given_on": [
                subjects.enrolled_on.iloc[i] + dt.timedelta(int(x))
                for i, x in zip(who, r.integers(0, 210, n), strict=True)
            ],
            "mg": [level[subjects.arm.iloc[i]] for i in who],
            "missed": r.random(n) < 0.06,
        }
    )
