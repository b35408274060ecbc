"""A made-up freight company: six related tables with short names, made from a seed; two hubs of a shipment."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd

SUR = """Abbott Baker Castellan Dorn Ellery Faulk Grieg Haddad Iversen Jahn Kowal Lindqvist Marsh Nagy Okafor Petit
Quist
Rahman Salas Thorne Ueda Vance Whitlock Yilmaz Zeller Bosch Crane Drury Eklund Fontaine""".split()


def load() -> dict[str, pd.DataFrame]:
    """Return {table name: frame}."""
    r = np.random.default_rng(90210)
    hub, h, hp = _hubs()
    cust = _customers(r)
    vhc = _vehicles(r, h, hp)
    k, b, o, d, st, shp = _shipments(r, h, hp, cust)
    leg = _legs(r, vhc, k, st, o, d, b, h)
    dmg = _claims(r, st, b)
    return {"shp": shp, "hub": hub, "cust": cust, "vhc": vhc, "leg": leg, "dmg_claim": dmg}


def _hubs() -> tuple[Any, ...]:
    """Return the hubs, the codes of those that take part, and how often."""
    hub = pd.DataFrame(
        [
            ("RTM", "Rotterdam", "NL", 5200, 1999),
            ("HAM", "Hamburg", "DE", 4100, 2003),
            ("LYS", "Lyon", "FR", 2600, 2008),
            ("MIL", "Milano", "IT", 3100, 2005),
            ("WAW", "Warszawa", "PL", 2900, 2011),
            ("VIE", "Wien", "AT", 1800, 2014),
            ("MUC", "München", "DE", 3300, 2001),
            ("BCN", "Barcelona", "ES", 2400, 2010),
            ("CPH", "København", "DK", 900, 2019),
        ],
        columns=["hub_cd", "hub_nm", "ctry", "cap_pallets", "opened_yr"],
    )
    h = hub.hub_cd.to_numpy()[:8]  # CPH takes part in nothing yet
    hp = np.array([0.24, 0.18, 0.1, 0.13, 0.12, 0.06, 0.11, 0.06])
    return hub, h, hp


def _customers(r: np.random.Generator) -> pd.DataFrame:
    """Return the customers."""
    nc = 240
    cust = pd.DataFrame(
        {
            "cust_cd": [f"C-{i:04d}" for i in range(1, nc + 1)],
            "cust_nm": [
                f"{SUR[i % 30]} {['GmbH', 'BV', 'SpA', 'SARL', 'AB', 'Ltd', 'SA', 'Oy'][i // 30]}" for i in range(nc)
            ],
            "ind_seg": r.choice(
                ["automotive", "food & drink", "pharma", "furniture", "electronics"],
                nc,
                p=[0.26, 0.24, 0.14, 0.16, 0.2],
            ),
            "acct_mgr": r.choice(["Salas", "Okafor", "Eklund", "Nagy"], nc, p=[0.4, 0.3, 0.2, 0.1]),
            "since_dt": [dt.date(2009, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 5300, nc)],
            "cr_lim_keur": [None if r.random() < 0.1 else int(r.choice([10, 25, 50, 100, 250])) for _ in range(nc)],
            "parent_cust": [None if r.random() < 0.85 else f"C-{int(r.integers(1, 31)):04d}" for _ in range(nc)],
        }
    )
    return cust


def _vehicles(r: np.random.Generator, h: Any, hp: Any) -> pd.DataFrame:
    """Return the vehicles."""
    nv = 130
    ty = r.choice(["tractor", "box truck", "van"], nv, p=[0.5, 0.3, 0.2])
    vhc = pd.DataFrame(
        {
            "plate": [f"{chr(65 + i % 26)}{chr(65 + (i * 7) % 26)}-{1000 + i * 37}" for i in range(nv)],
            "vhc_typ": ty,
            "fuel": [
                str(r.choice(["diesel", "LNG", "electric"], p=[0.75, 0.15, 0.1] if t != "van" else [0.5, 0, 0.5]))
                for t in ty
            ],
            "payload_t": [
                round(
                    float(
                        r.normal(
                            {"tractor": 24, "box truck": 9, "van": 1.3}[t],
                            0.12 * {"tractor": 24, "box truck": 9, "van": 1.3}[t],
                        )
                    ),
                    1,
                )
                for t in ty
            ],
            "home_hub": r.choice(h, nv, p=hp),
            "reg_yr": r.integers(2012, 2024, nv),
        }
    )
    return vhc


def _shipments(r: np.random.Generator, h: Any, hp: Any, cust: Any) -> tuple[Any, ...]:
    """Return the shipments, with days, ends and states apart."""
    k = 4200
    day = np.sort(r.integers(0, 1003, k))  # 2021-10-01 .. 2024-06-29
    b = [dt.date(2021, 10, 1) + dt.timedelta(int(d)) for d in day]
    o = r.choice(h, k, p=hp)
    d = np.array([r.choice(h[h != x]) for x in o])
    sv = r.choice(["EXP", "STD", "ECO"], k, p=[0.2, 0.6, 0.2])
    wt = np.round(r.lognormal(6.2, 1.1, k), 1)
    st = r.choice(["DLV", "TRN", "CXL", "LST"], k, p=[0.9, 0.03, 0.05, 0.02])
    plan = np.array([{"EXP": 2, "STD": 4, "ECO": 7}[x] for x in sv])
    act = plan + r.choice([-1, 0, 0, 0, 1, 1, 2, 5], k)
    shp = pd.DataFrame(
        {
            "shp_no": np.arange(880001, 880001 + k),
            "cust_cd": r.choice(cust.cust_cd.to_numpy()[:210], k),
            "orig_hub": o,
            "dest_hub": d,
            "svc_lvl": sv,
            "wt_kg": wt,
            "vol_m3": [None if r.random() < 0.06 else round(float(w) / float(r.uniform(160, 420)), 2) for w in wt],
            "chg_eur": np.round(25 + wt * r.uniform(0.12, 0.5, k), 2),
            "booked_dt": [int(x.strftime("%Y%m%d")) for x in b],
            "eta_dt": [x + dt.timedelta(int(p)) for x, p in zip(b, plan, strict=True)],
            "dlv_dt": [x + dt.timedelta(int(p)) if s == "DLV" else None for x, p, s in zip(b, act, st, strict=True)],
            "stat_cd": st,
            "haz_yn": r.choice(["Y", "N"], k, p=[0.07, 0.93]),
        }
    )
    return k, b, o, d, st, shp


def _legs(r: np.random.Generator, vhc: Any, k: Any, st: Any, o: Any, d: Any, b: Any, h: Any) -> pd.DataFrame:
    """Return the legs of the shipments."""
    legs = []
    plates = vhc.plate.to_numpy()[:118]
    for i in range(k):
        if st[i] == "CXL":
            continue
        path = [o[i], d[i]] if r.random() < 0.7 else [o[i], str(r.choice(h[(h != o[i]) & (h != d[i])])), d[i]]
        t = pd.Timestamp(b[i]) + pd.Timedelta(hours=int(r.integers(5, 22)))
        for s in range(len(path) - 1):
            km = int(r.integers(180, 1900))
            a = t + pd.Timedelta(minutes=int(km / float(r.uniform(45, 72)) * 60))
            legs.append(
                (
                    len(legs) + 1,
                    880001 + i,
                    s + 1,
                    str(r.choice(plates)),
                    path[s],
                    path[s + 1],
                    km,
                    t,
                    a,
                    None if r.random() < 0.05 else round(km * float(r.normal(0.31, 0.04)), 1),
                )
            )
            t = a + pd.Timedelta(hours=int(r.integers(2, 15)))
    leg = pd.DataFrame(
        legs,
        columns=["leg_id", "shp_no", "leg_seq", "plate", "frm_hub", "to_hub", "dist_km", "dep_ts", "arr_ts", "fuel_l"],
    )
    return leg


def _claims(r: np.random.Generator, st: Any, b: Any) -> pd.DataFrame:
    """Return the damage claims."""
    nd = 260
    pk = r.choice(np.where(st != "CXL")[0], nd, replace=False)
    dmg = pd.DataFrame(
        {
            "clm_no": np.arange(1, nd + 1),
            "shp_no": 880001 + pk,
            "clm_dt": [b[i] + dt.timedelta(int(r.integers(3, 60))) for i in pk],
            "clm_amt_eur": np.round(r.lognormal(6, 1, nd), 2),
            "cause": r.choice(["wet", "crushed", "missing item", "temperature"], nd, p=[0.2, 0.42, 0.28, 0.1]),
            "settled_yn": r.choice(["Y", "N"], nd, p=[0.7, 0.3]),
        }
    )
    return dmg
