"""A made-up telecom: six related tables with short names and codes, made from a seed; a call has two subscribers."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd


def load() -> dict[str, pd.DataFrame]:
    """Return {table name: frame}."""
    r = np.random.default_rng(1618)
    plans, shops = _plans(), _shops()
    subs = _subs(r)
    contracts = _contracts(r, subs, plans, shops)
    return {
        "tariff": plans, "shop": shops, "subscriber": subs, "contract": contracts, "call_rec": _calls(r, subs),
        "bill": _bills(r, contracts), "ticket": _tickets(r, subs),
    }  # fmt: skip


def _plans() -> pd.DataFrame:
    rows = [
        ("BAS", "Basic", "prepaid", 5.0, 1),
        ("STU", "Student", "prepaid", 9.0, 10),
        ("FLX", "Flex", "postpaid", 19.0, 20),
        ("PLS", "Plus", "postpaid", 29.0, 50),
        ("UNL", "Unlimited", "postpaid", 49.0, None),
        ("BIZ", "Business", "business", 39.0, 60),
    ]
    return pd.DataFrame(rows, columns=["tariff_cd", "tariff_name", "kind", "monthly_fee", "data_gb"])


def _shops() -> pd.DataFrame:
    rows = [(i, n, c, a) for i, n, c, a in (
        (1, "Station", "Graz", 70), (2, "Mall", "Linz", 120), (3, "Old Town", "Graz", 45), (4, "Airport", "Wien", 60),
        (5, "Online", None, None), (6, "Ring", "Wien", 95),
    )]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["shop_id", "shop_name", "city", "area_sqm"])
    frame["area_sqm"] = frame["area_sqm"].astype("Int64")
    return frame


def _subs(r: np.random.Generator) -> pd.DataFrame:
    n = 600
    ids = np.arange(70001, 70001 + n)
    start = [dt.date(2018, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 2300, n)]
    left = [s + dt.timedelta(int(r.integers(30, 900))) if r.random() < 0.22 else None for s in start]
    return pd.DataFrame(
        {
            "sub_id": ids,
            "birth_date": [dt.date(1940, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 24800, n)],
            "gender": r.choice(np.array(["f", "m", None], dtype=object), n, p=[0.47, 0.45, 0.08]),
            "city": r.choice(["Wien", "Graz", "Linz", "Salzburg", "Innsbruck"], n, p=[0.4, 0.2, 0.18, 0.12, 0.1]),
            "segment": r.choice(["consumer", "soho", "corporate"], n, p=[0.75, 0.15, 0.1]),
            "activated_on": start,
            "churned_on": left,
            "referred_by": pd.array([None if r.random() < 0.8 else int(r.choice(ids)) for _ in ids], dtype="Int64"),
        }
    )


def _contracts(r: np.random.Generator, subs: pd.DataFrame, plans: pd.DataFrame, shops: pd.DataFrame) -> pd.DataFrame:
    n = 820
    start = [dt.date(2020, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 1700, n)]
    return pd.DataFrame(
        {
            "contract_no": [f"K{5000 + i}" for i in range(n)],
            "sub_id": r.choice(subs.sub_id.to_numpy()[:560], n),
            "tariff_cd": r.choice(plans.tariff_cd.to_numpy(), n, p=[0.15, 0.15, 0.25, 0.2, 0.15, 0.1]),
            "start_date": start,
            "end_date": [s + dt.timedelta(int(r.integers(90, 800))) if r.random() < 0.3 else None for s in start],
            "sold_at": r.choice(shops.shop_id.to_numpy(), n),
            "term_months": r.choice([0, 12, 24], n),
            "discount_pct": r.choice([0.0, 5.0, 10.0, 20.0], n, p=[0.6, 0.2, 0.15, 0.05]),
        }
    )


def _calls(r: np.random.Generator, subs: pd.DataFrame) -> pd.DataFrame:
    n = 8000
    seconds = np.sort(r.integers(0, 365 * 86400, n))
    return pd.DataFrame(
        {
            "call_id": np.arange(1, n + 1),
            "caller": r.choice(subs.sub_id.to_numpy()[:500], n),
            "callee": r.choice(subs.sub_id.to_numpy()[50:], n),
            "started": [dt.datetime(2024, 1, 1) + dt.timedelta(seconds=int(s)) for s in seconds],
            "duration_s": np.round(r.gamma(1.2, 150, n)).astype(int),
            "roaming": r.random(n) < 0.06,
            "status": r.choice(["ok", "dropped", "busy", "no answer"], n, p=[0.8, 0.04, 0.06, 0.1]),
        }
    )


def _bills(r: np.random.Generator, contracts: pd.DataFrame) -> pd.DataFrame:
    n = 6000
    pick = r.integers(0, len(contracts), n)
    issued = [
        dt.date(2022, 1 + int(m) % 12, 1) if m < 12 else dt.date(2022 + int(m) // 12, 1 + int(m) % 12, 1)
        for m in r.integers(0, 36, n)
    ]
    amount = np.round(r.gamma(6, 5, n), 2)
    return pd.DataFrame(
        {
            "bill_no": np.arange(900001, 900001 + n),
            "contract_no": contracts.contract_no.to_numpy()[pick],
            "issued_on": issued,
            "amount": amount,
            "vat": np.round(amount / 6, 2),
            "paid_on": [None if r.random() < 0.1 else d + dt.timedelta(int(r.integers(1, 50))) for d in issued],
            "method": r.choice(["card", "debit", "cash"], n, p=[0.4, 0.5, 0.1]),
        }
    )


def _tickets(r: np.random.Generator, subs: pd.DataFrame) -> pd.DataFrame:
    n = 900
    opened = [dt.datetime(2023, 1, 1) + dt.timedelta(minutes=int(m)) for m in np.sort(r.integers(0, 700 * 1440, n))]
    return pd.DataFrame(
        {
            "ticket_id": np.arange(1, n + 1),
            "sub_id": r.choice(subs.sub_id.to_numpy()[:540], n),
            "opened": opened,
            "closed": [
                None if r.random() < 0.08 else o + dt.timedelta(minutes=int(r.integers(5, 9000))) for o in opened
            ],
            "topic": r.choice(["billing", "network", "device", "contract"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "priority": r.choice([1, 2, 3], n, p=[0.15, 0.5, 0.35]),
            "rating": pd.array([None if r.random() < 0.45 else int(r.integers(1, 6)) for _ in range(n)], dtype="Int64"),
        }
    )
