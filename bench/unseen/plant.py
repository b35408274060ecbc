"""A made-up factory: eight related tables, made from a seed; stops are reported by one worker and fixed by another."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd

NAMES = """Acar Bauer Conti Demir Ebert Fuchs Gruber Horvat Ivanov Jung Keller Lang Maier Nagel Ott Pichler Reiter
Seidl Thaler Urban Vogt Winkler""".split()


def load() -> dict[str, pd.DataFrame]:
    """Return {table name: frame}."""
    r = np.random.default_rng(271828)
    lines, products, workers = _lines(), _products(r), _workers(r)
    machines = _machines(r, lines)
    sensors = _sensors(r, machines)
    return {
        "line": lines, "product": products, "worker": workers, "machine": machines, "sensor": sensors,
        "measurement": _measurements(r, sensors), "batch": _batches(r, lines, products, workers),
        "downtime": _downtime(r, machines, workers),
    }  # fmt: skip


def _lines() -> pd.DataFrame:
    rows = [
        ("A1", "Filling 1", "North", 1200, 2009),
        ("A2", "Filling 2", "North", 1500, 2016),
        ("B1", "Packing", "South", 2000, 2012),
        ("C1", "Mixing", "East", 800, 2004),
        ("C2", "Coating", "East", 650, 2019),
        ("D1", "Pilot", None, 90, 2023),
    ]
    return pd.DataFrame(rows, columns=["line_code", "line_name", "hall", "units_per_hour", "installed_year"])


def _products(r: np.random.Generator) -> pd.DataFrame:
    n = 26
    cost = np.round(r.uniform(0.4, 14, n), 2)
    return pd.DataFrame(
        {
            "product_code": [f"PX-{100 + 3 * i}" for i in range(n)],
            "product_name": [
                f"{['Gloss', 'Matt', 'Primer', 'Sealer'][i % 4]} {['White', 'Grey', 'Clear'][i % 3]} {i}"
                for i in range(n)
            ],
            "family": [["paint", "paint", "primer", "sealer"][i % 4] for i in range(n)],
            "unit_cost": cost,
            "list_price": np.round(cost * r.uniform(1.1, 2.4, n), 2),
            "launched": [dt.date(2010, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 4900, n)],
            "discontinued": [bool(r.random() < 0.15) for _ in range(n)],
        }
    )


def _workers(r: np.random.Generator) -> pd.DataFrame:
    n = 75
    ids = np.arange(301, 301 + n)
    return pd.DataFrame(
        {
            "worker_id": ids,
            "name": [f"{'KLMNOPRST'[i % 9]}. {NAMES[(5 * i) % 22]}" for i in range(n)],
            "team": r.choice(["maintenance", "production", "quality"], n, p=[0.3, 0.55, 0.15]),
            "hired_on": [dt.date(1998, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 9500, n)],
            "left_on": [
                None if r.random() < 0.85 else dt.date(2024, 1, 1) + dt.timedelta(int(r.integers(0, 300))) for _ in ids
            ],
            "hourly_wage": np.round(r.normal(24, 4.5, n), 2),
            "boss_id": pd.array([None if i < 306 else int(r.choice(ids[:6])) for i in ids], dtype="Int64"),
        }
    )


def _machines(r: np.random.Generator, lines: pd.DataFrame) -> pd.DataFrame:
    n = 40
    return pd.DataFrame(
        {
            "machine_id": [f"M{i:03d}" for i in range(1, n + 1)],
            "line_code": r.choice(lines.line_code.to_numpy()[:5], n),
            "kind": r.choice(["pump", "mixer", "filler", "conveyor", "robot"], n),
            "maker": r.choice(["Bosch", "Krones", "ABB", "Siemens"], n),
            "bought_on": [dt.date(2004, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 7300, n)],
            "price": r.integers(8, 400, n) * 1000,
            "weight": r.integers(90, 5200, n),
        }
    )


def _sensors(r: np.random.Generator, machines: pd.DataFrame) -> pd.DataFrame:
    n = 110
    quantity = r.choice(["temperature", "pressure", "vibration"], n, p=[0.45, 0.3, 0.25])
    top = {"temperature": 85.0, "pressure": 6.5, "vibration": 11.0}
    return pd.DataFrame(
        {
            "sensor_id": np.arange(1, n + 1),
            "machine_id": r.choice(machines.machine_id.to_numpy()[:36], n),
            "quantity": quantity,
            "unit": [{"temperature": "C", "pressure": "bar", "vibration": "mm/s"}[q] for q in quantity],
            "upper_limit": [top[q] for q in quantity],
            "calibrated_on": [
                None if r.random() < 0.1 else dt.date(2023, 1, 1) + dt.timedelta(int(r.integers(0, 700)))
                for _ in range(n)
            ],
        }
    )


def _measurements(r: np.random.Generator, sensors: pd.DataFrame) -> pd.DataFrame:
    n = 9000
    at = r.integers(0, 104, n)
    level = {"temperature": (62, 11), "pressure": (4.8, 0.8), "vibration": (6.5, 2.1)}
    means = [level[q] for q in sensors.quantity.to_numpy()[at]]
    minutes = np.sort(r.integers(0, 366 * 1440, n))
    return pd.DataFrame(
        {
            "measurement_id": np.arange(1, n + 1),
            "sensor_id": sensors.sensor_id.to_numpy()[at],
            "taken_at": [dt.datetime(2024, 1, 1) + dt.timedelta(minutes=int(m)) for m in minutes],
            "value": [None if r.random() < 0.02 else round(float(r.normal(m, s)), 2) for m, s in means],
            "alarm": r.random(n) < 0.03,
        }
    )


def _batches(
    r: np.random.Generator, lines: pd.DataFrame, products: pd.DataFrame, workers: pd.DataFrame
) -> pd.DataFrame:
    n = 2600
    planned = r.integers(200, 4000, n)
    scrap = np.round(planned * r.beta(2, 60, n)).astype(int)
    return pd.DataFrame(
        {
            "batch_no": [f"B{240000 + i}" for i in range(n)],
            "product_code": r.choice(products.product_code.to_numpy()[:24], n),
            "line_code": r.choice(lines.line_code.to_numpy()[:5], n, p=[0.25, 0.25, 0.2, 0.2, 0.1]),
            "made_on": [dt.date(2023, 7, 1) + dt.timedelta(int(x)) for x in np.sort(r.integers(0, 549, n))],
            "shift": r.choice(["early", "late", "night"], n, p=[0.4, 0.4, 0.2]),
            "planned_units": planned,
            "good_units": planned - scrap - r.integers(0, 40, n),
            "scrap_units": scrap,
            "supervisor_id": r.choice(workers.worker_id.to_numpy()[:20], n),
            "released": r.choice(["yes", "no", "pending"], n, p=[0.9, 0.04, 0.06]),
        }
    )


def _downtime(r: np.random.Generator, machines: pd.DataFrame, workers: pd.DataFrame) -> pd.DataFrame:
    n = 780
    fixed = r.choice(workers.worker_id.to_numpy()[:60], n)
    minutes = np.sort(r.integers(0, 540 * 1440, n))
    return pd.DataFrame(
        {
            "downtime_id": np.arange(1, n + 1),
            "machine_id": r.choice(machines.machine_id.to_numpy()[:38], n),
            "started_at": [dt.datetime(2023, 7, 1) + dt.timedelta(minutes=int(m)) for m in minutes],
            "minutes": np.round(r.gamma(1.6, 40, n)).astype(int) + 1,
            "reason": r.choice(["jam", "breakdown", "cleaning", "changeover", "no material"], n),
            "planned": r.random(n) < 0.35,
            "reported_by": r.choice(workers.worker_id.to_numpy(), n),
            "fixed_by": pd.array([None if r.random() < 0.1 else int(f) for f in fixed], dtype="Int64"),
        }
    )
