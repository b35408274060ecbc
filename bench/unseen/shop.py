"""A small web shop: seven related tables, made from a seed."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd

CATEGORIES = ["Home & Garden", "Office supplies", "Toys and games", "Electronics", "Books", "Outdoor gear"]
FIRST = """Anna Ben Carla David Elena Felix Greta Hugo Ines Jonas Katrin Luca Marie Nils Olga Paul Rosa Sven Tina
    Viktor""".split()
LAST = """Adler Bauer Costa Dubois Ek Fischer Garcia Holm Ivanov Jansen Keller Lopez Moreau Novak Olsen Peters Rossi
    Schmidt Toth Weber""".split()
CITIES = {"DE": ["Berlin", "Hamburg", "Munich"], "FR": ["Paris", "Lyon"], "ES": ["Madrid", "Sevilla"],
          "NL": ["Utrecht", "Rotterdam"], "PL": ["Krakow", "Gdansk"], "IT": ["Turin"]}  # fmt: skip
ADJ = "Blue Compact Classic Heavy Light Smart Silent Wooden Royal Mini".split()
NOUN = {"Home & Garden": ["Lamp", "Hose", "Planter"], "Office supplies": ["Stapler", "Binder", "Notepad"],
        "Toys and games": ["Puzzle", "Kite", "Robot"], "Electronics": ["Speaker", "Charger", "Camera"],
        "Books": ["Atlas", "Cookbook", "Novel"], "Outdoor gear": ["Tent", "Backpack", "Stove"]}  # fmt: skip


def load() -> dict[str, pd.DataFrame]:
    """Return {table name: frame}."""
    r = np.random.default_rng(20240607)  # one after another: the order of the draws makes the shop
    customers = _customers(r)
    suppliers = _suppliers(r)
    products = _products(r)
    orders = _orders(r, customers)
    order_lines = _order_lines(r, orders, products)
    returns = _returns(r, orders)
    reviews = _reviews(r, customers, products)
    return {"customers": customers, "suppliers": suppliers, "products": products, "orders": orders,
            "order_lines": order_lines, "returns": returns, "reviews": reviews}  # fmt: skip


def _customers(r: np.random.Generator) -> pd.DataFrame:
    d0 = dt.date(2021, 1, 1)
    n = 800
    cc = r.choice(list(CITIES), n, p=[0.34, 0.22, 0.16, 0.12, 0.1, 0.06])
    return pd.DataFrame(
        {
            "cust_no": np.arange(10001, 10001 + n),
            "full_name": [f"{r.choice(FIRST)} {r.choice(LAST)}" for _ in range(n)],
            "email": [None if r.random() < 0.07 else f"u{int(r.integers(1, 5000))}@mail.example" for _ in range(n)],
            "country_cd": cc,
            "city": [r.choice(CITIES[c]) for c in cc],
            "segment": r.choice(["CONS", "BIZ", "EDU"], n, p=[0.7, 0.2, 0.1]),
            "birth_date": [
                None if r.random() < 0.15 else dt.date(1945, 1, 1) + dt.timedelta(int(r.integers(0, 21500)))
                for _ in range(n)
            ],
            "signup_date": [d0 + dt.timedelta(int(r.integers(0, 1260))) for _ in range(n)],
            "newsletter": r.random(n) < 0.45,
        }
    )


def _suppliers(r: np.random.Generator) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "supplier_id": np.arange(1, 26),
            "company": [f"{LAST[i % 20]} {('Trading', 'Works')[i // 20]}" for i in range(25)],
            "country_cd": r.choice(["DE", "CN", "PL", "IT"], 25),
            "rating": [None if r.random() < 0.2 else round(float(r.uniform(2, 5)), 2) for _ in range(25)],
        }
    )


def _products(r: np.random.Generator) -> pd.DataFrame:
    titles = [(c, f"{a} {x}") for c in CATEGORIES for x in NOUN[c] for a in ADJ]
    m = len(titles)
    price = np.round(r.lognormal(3.2, 0.9, m), 2)
    return pd.DataFrame(
        {
            "sku": [f"P-{1000 + i}" for i in range(m)],
            "title": [t for _, t in titles],
            "category": [c for c, _ in titles],
            "price": [Decimal(f"{p:.2f}") for p in price],
            "weight_kg": [None if r.random() < 0.12 else round(float(r.gamma(2, 1.2)), 3) for _ in range(m)],
            "discontinued": r.random(m) < 0.14,
            "vendor": r.integers(1, 23, m),
        }
    )


def _orders(r: np.random.Generator, customers: pd.DataFrame) -> pd.DataFrame:
    k = 3000
    when = np.sort(r.integers(0, 902, k))  # 2022-01-01 .. 2024-06-20
    buyers = r.choice(customers.cust_no.to_numpy()[:690], k)
    placed = [
        pd.Timestamp("2022-01-01", tz="UTC") + pd.Timedelta(days=int(d), seconds=int(r.integers(8 * 3600, 20 * 3600)))
        for d in when
    ]
    return pd.DataFrame(
        {
            "order_id": np.arange(500001, 500001 + k),
            "buyer": buyers,
            "placed_at": placed,
            "channel": r.choice(["web", "app", "phone"], k, p=[0.55, 0.38, 0.07]),
            "status": r.choice(["DLV", "SHP", "NEW", "CXL"], k, p=[0.8, 0.08, 0.05, 0.07]),
            "coupon": [
                None if r.random() < 0.72 else str(r.choice(["SPRING10", "WELCOME", "VIP20"])) for _ in range(k)
            ],
            "is_gift": r.random(k) < 0.12,
        }
    )


def _order_lines(r: np.random.Generator, orders: pd.DataFrame, products: pd.DataFrame) -> pd.DataFrame:
    m = len(products)
    lines = []
    for o in orders.order_id:
        for j, p in enumerate(r.choice(m - 8, int(r.integers(1, 5)), replace=False), 1):
            lines.append(
                (
                    o,
                    j,
                    f"P-{1000 + p}",
                    int(r.integers(1, 6)),
                    products.price[p],
                    int(r.choice([0, 0, 0, 5, 10, 20])),
                )
            )
    return pd.DataFrame(lines, columns=["order_ref", "line_no", "item", "qty", "unit_price", "discount_pct"])


def _returns(r: np.random.Generator, orders: pd.DataFrame) -> pd.DataFrame:
    pick = r.choice(len(orders), 310, replace=False)
    return pd.DataFrame(
        {
            "return_id": np.arange(1, 311),
            "for_order": orders.order_id.to_numpy()[pick],
            "returned_on": [(orders.placed_at[i] + pd.Timedelta(days=int(r.integers(3, 40)))).date() for i in pick],
            "reason": r.choice(["damaged", "wrong size", "changed mind", "late delivery"], 310, p=[0.3, 0.2, 0.4, 0.1]),
            "refunded": r.random(310) < 0.83,
        }
    )


def _reviews(r: np.random.Generator, customers: pd.DataFrame, products: pd.DataFrame) -> pd.DataFrame:
    m = len(products)
    q = 900
    return pd.DataFrame(
        {
            "review_id": np.arange(1, q + 1),
            "product_sku": [f"P-{1000 + int(i)}" for i in r.integers(0, m - 20, q)],
            "author": r.choice(customers.cust_no.to_numpy(), q),
            "stars": r.choice([1, 2, 3, 4, 5], q, p=[0.07, 0.08, 0.15, 0.3, 0.4]),
            "comment": [
                None if r.random() < 0.4 else str(r.choice(["great", "ok", "broke quickly", "as described"]))
                for _ in range(q)
            ],
            "posted_on": [dt.date(2022, 2, 1) + dt.timedelta(int(r.integers(0, 870))) for _ in range(q)],
        }
    )
