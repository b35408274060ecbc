"""A made-up hospital: six related tables, made from a seed; two doctors of an admission, codes with units."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd

SUR = """Abbott Baker Castellan Dorn Ellery Faulk Grieg Haddad Iversen Jahn Kowal Lindqvist Marsh Nagy Okafor Petit
Quist
Rahman Salas Thorne Ueda Vance Whitlock Yilmaz Zeller Bosch Crane Drury Eklund Fontaine""".split()
TOWNS = ["Aldham", "Brixley", "Corvale", "Dunmere", "Eastport", None]


def load() -> dict[str, pd.DataFrame]:
    """Return {table name: frame}."""
    r = np.random.default_rng(77)
    ward, codes = _wards()
    staff, docs = _staff(r, ward)
    patient = _patients(r)
    k, ts, adm = _admissions(r, patient, codes, docs)
    diagnosis = _diagnoses(r, adm)
    lab = _results(r, k, ts, adm)
    return {
        "WARD": ward,
        "STAFF": staff,
        "PATIENT": patient,
        "ADMISSION": adm,
        "DIAGNOSIS": diagnosis,
        "LAB_RESULT": lab,
    }


def _wards() -> tuple[Any, ...]:
    """Return the wards, and the codes of those with admissions."""
    ward = pd.DataFrame(
        [
            ("CAR", "Cardiology", 2, 28),
            ("ORT", "Orthopaedics", 3, 34),
            ("PED", "Paediatrics", 1, 22),
            ("ICU", "Intensive Care", 4, 12),
            ("NEU", "Neurology", 3, 20),
            ("ONC", "Oncology", 5, 26),
            ("GER", "Geriatrics", 1, 30),
            ("DER", "Dermatology", 5, 8),
        ],
        columns=["WARD_CD", "WARD_NM", "FLOOR_NO", "BEDS"],
    )
    codes = ward.WARD_CD.to_list()[:7]  # dermatology has no admissions
    return ward, codes


def _staff(r: np.random.Generator, ward: Any) -> tuple[Any, ...]:
    """Return the staff, and the numbers of the physicians."""
    n = 90
    roles = r.choice(["physician", "nurse", "therapist", "clerk"], n, p=[0.3, 0.5, 0.12, 0.08])
    staff = pd.DataFrame(
        {
            "STAFF_NO": np.arange(7001, 7001 + n),
            "LAST_NM": [f"{SUR[i % 30]}" + ("" if i < 30 else "-" + SUR[(i * 7) % 30]) for i in range(n)],
            "JOB_ROLE": roles,
            "WARD_CD": r.choice(ward.WARD_CD, n),
            "HIRE_DT": [dt.date(1998, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 9300, n)],
            "SUPERVISOR_NO": pd.array(
                [None if i < 6 else int(7001 + r.integers(0, 6)) for i in range(n)], dtype="Int64"
            ),
            "MTHLY_PAY_EUR": np.round(
                np.where(roles == "physician", r.normal(7400, 1300, n), r.normal(3300, 450, n)), 2
            ),
        }
    )
    docs = staff.STAFF_NO[staff.JOB_ROLE == "physician"].to_numpy()
    return staff, docs


def _patients(r: np.random.Generator) -> pd.DataFrame:
    """Return the patients."""
    m = 1400
    patient = pd.DataFrame(
        {
            "PAT_ID": [f"P{100000 + i}" for i in range(m)],
            "SEX": r.choice(["F", "M", "X"], m, p=[0.52, 0.47, 0.01]),
            "DOB": [dt.date(1930, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 33500, m)],
            "TOWN": r.choice(np.array(TOWNS, dtype=object), m, p=[0.36, 0.25, 0.18, 0.1, 0.06, 0.05]),
            "BLOOD_GRP": [
                None
                if r.random() < 0.18
                else str(
                    r.choice(
                        ["O+", "A+", "B+", "O-", "A-", "AB+", "B-", "AB-"],
                        p=[0.38, 0.34, 0.09, 0.07, 0.06, 0.03, 0.02, 0.01],
                    )
                )
                for _ in range(m)
            ],
            "INSURER": r.choice(["Medica", "HealthFirst", "Unity", "self-pay"], m, p=[0.5, 0.28, 0.17, 0.05]),
            "SMOKER": [None if r.random() < 0.3 else ("Y" if r.random() < 0.27 else "N") for _ in range(m)],
        }
    )
    return patient


def _admissions(r: np.random.Generator, patient: Any, codes: Any, docs: Any) -> tuple[Any, ...]:
    """Return the admissions, with their times apart."""
    k = 3200
    start = np.sort(r.integers(0, 1095 * 24, k))  # 2021-01-01 .. 2023-12-31
    los = np.maximum(0.3, r.gamma(1.6, 3.6, k))
    ts = [pd.Timestamp("2021-01-01") + pd.Timedelta(hours=int(h)) for h in start]
    end = [t + pd.Timedelta(hours=round(float(x) * 24)) for t, x in zip(ts, los, strict=True)]
    end = [None if e > pd.Timestamp("2023-12-31 12:00") or r.random() < 0.01 else e for e in end]
    pats = patient.PAT_ID.to_numpy()[:1250]
    adm = pd.DataFrame(
        {
            "ADM_NO": np.arange(30001, 30001 + k),
            "PAT_ID": r.choice(pats, k),
            "WARD_CD": r.choice(codes, k, p=[0.22, 0.2, 0.15, 0.08, 0.12, 0.13, 0.1]),
            "ADM_TS": ts,
            "DISCH_TS": pd.to_datetime(pd.Series(end)),
            "ADM_TYPE": r.choice(["EMER", "ELEC", "TRANSF"], k, p=[0.46, 0.44, 0.1]),
            "ADMITTING_DOC": r.choice(docs, k),
            "ATTENDING_DOC": r.choice(docs[:-3], k),
            "BILLED_EUR": np.round(los * r.normal(640, 90, k) + r.gamma(2, 400, k), 2),
            "PAID_EUR": [None if r.random() < 0.12 else 0.0 for _ in range(k)],
        }
    )
    adm["PAID_EUR"] = np.where(adm.PAID_EUR.isna(), np.nan, np.round(adm.BILLED_EUR * r.uniform(0.7, 1.0, k), 2))
    return k, ts, adm


def _diagnoses(r: np.random.Generator, adm: Any) -> pd.DataFrame:
    """Return the diagnoses."""
    icd = [
        ("I21", "acute myocardial infarction"),
        ("I50", "heart failure"),
        ("S72", "fracture of femur"),
        ("J18", "pneumonia"),
        ("G40", "epilepsy"),
        ("C50", "breast cancer"),
        ("E11", "type 2 diabetes"),
        ("M16", "osteoarthritis of hip"),
        ("I10", "essential hypertension"),
        ("A41", "sepsis"),
    ]
    p = np.array([0.09, 0.1, 0.1, 0.12, 0.06, 0.07, 0.16, 0.09, 0.17, 0.04])
    dg = []
    for a in adm.ADM_NO:
        if r.random() < 0.03:
            continue
        for s, j in enumerate(r.choice(10, int(r.integers(1, 4)), replace=False, p=p), 1):
            dg.append((a, s, icd[j][0], icd[j][1], "primary" if s == 1 else "secondary"))
    diagnosis = pd.DataFrame(dg, columns=["ADM_NO", "SEQ_NO", "ICD_CD", "ICD_TEXT", "DX_ROLE"])
    return diagnosis


def _results(r: np.random.Generator, k: Any, ts: Any, adm: Any) -> pd.DataFrame:
    """Return the laboratory results."""
    q = 6000
    test = r.choice(["HB", "CRP", "GLU", "K"], q, p=[0.35, 0.3, 0.25, 0.1])
    mean = {"HB": (13.2, 1.8), "CRP": (24, 9), "GLU": (105, 28), "K": (4.2, 0.5)}
    unit = {"HB": "g/dL", "CRP": "mg/L", "GLU": "mg/dL", "K": "mmol/L"}
    pick = r.choice(k, q)
    lab = pd.DataFrame(
        {
            "LAB_ID": np.arange(1, q + 1),
            "ADM_NO": adm.ADM_NO.to_numpy()[pick],
            "TEST_CD": test,
            "RESULT_VAL": [None if r.random() < 0.02 else round(max(0.1, float(r.normal(*mean[t]))), 1) for t in test],
            "RESULT_UNIT": [unit[t] for t in test],
            "SAMPLED_AT": [ts[i] + pd.Timedelta(minutes=int(r.integers(20, 2000))) for i in pick],
        }
    )
    return lab
