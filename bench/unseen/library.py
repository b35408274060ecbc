"""A made-up public library: seven related tables, made from a seed; lent at one branch, returned at another."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd

SURNAMES = """Abara Bergman Castillo Dufour Eriksen Fonseca Gallo Hoffman Ibarra Jansen Kovac Laurent Moreau Novak
Osei Pereira Quiroga Rossi Silva Tanaka Ulrich Varga Weiss Xu Yamada Zorn""".split()
GIVEN = "Aino Bela Carla Dario Elena Filip Greta Hugo Ines Jonas Klara Luca Marta Nils Olga Pavel Rita Samir".split()
DAY0 = dt.date(2020, 1, 1)


def load() -> dict[str, pd.DataFrame]:
    """Return {table name: frame}."""
    r = np.random.default_rng(777)
    branches, authors = _branches(), _authors(r)
    books = _books(r, authors)
    copies = _copies(r, books, branches)
    members = _members(r, branches)
    loans = _loans(r, copies, members, branches)
    return {
        "branches": branches, "authors": authors, "books": books, "copies": copies, "members": members, "loans": loans,
        "fines": _fines(r, loans),
    }  # fmt: skip


def _branches() -> pd.DataFrame:
    rows = [
        (1, "Central", "Riverside", 1921, 4200, True),
        (2, "Harbour", "Docklands", 1974, 900, False),
        (3, "Northgate", "Northgate", 1988, 1100, True),
        (4, "Elm Street", "Riverside", 2003, 650, False),
        (5, "University Hill", "Uptown", 1996, 2300, True),
        (6, "Mobile", None, 2015, 40, False),
    ]
    columns = ["branch_id", "branch_name", "quarter", "opened_year", "floor_area", "has_cafe"]
    return pd.DataFrame(rows, columns=columns)


def _authors(r: np.random.Generator) -> pd.DataFrame:
    n = 90
    born = r.integers(1850, 1990, n)
    died = [None if b > 1930 or r.random() < 0.15 else int(b + r.integers(35, 85)) for b in born]
    return pd.DataFrame(
        {
            "author_id": np.arange(1, n + 1),
            "author_name": [f"{GIVEN[i % 18]} {SURNAMES[(i * 7) % 26]}" for i in range(n)],
            "nationality": r.choice(["French", "German", "Brazilian", "Japanese", "Ghanaian", "Czech"], n),
            "born": born,
            "died": pd.array(died, dtype="Int64"),
        }
    )


def _books(r: np.random.Generator, authors: pd.DataFrame) -> pd.DataFrame:
    n = 420
    first = ["The Silent", "A Short", "Beyond the", "Letters from the", "The Last", "Under the", "Songs of the"]
    second = ["River", "Garden", "Winter", "Station", "Mirror", "Orchard", "Harbour", "Desert", "Clock", "Island"]
    return pd.DataFrame(
        {
            "isbn": [f"978-{10000 + 37 * i}" for i in range(n)],
            "title": [f"{first[i % 7]} {second[(i // 7) % 10]} {i // 70 + 1}" for i in range(n)],
            "author_id": r.choice(authors.author_id.to_numpy()[:82], n),
            "genre": r.choice(
                ["crime", "poetry", "science", "history", "children", "romance"], n, p=[0.25, 0.1, 0.15, 0.2, 0.2, 0.1]
            ),
            "language": r.choice(["English", "French", "German", "Spanish"], n, p=[0.6, 0.15, 0.15, 0.1]),
            "pages": r.integers(48, 900, n),
            "published": r.integers(1890, 2024, n),
            "price": np.round(r.uniform(6, 60, n), 2),
        }
    )


def _copies(r: np.random.Generator, books: pd.DataFrame, branches: pd.DataFrame) -> pd.DataFrame:
    n = 1300
    return pd.DataFrame(
        {
            "copy_id": np.arange(50001, 50001 + n),
            "isbn": r.choice(books.isbn.to_numpy()[:400], n),
            "branch_id": r.choice(branches.branch_id.to_numpy(), n, p=[0.35, 0.1, 0.15, 0.1, 0.25, 0.05]),
            "bought_on": [dt.date(2005, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 6900, n)],
            "condition": r.choice(["new", "good", "worn", "lost"], n, p=[0.2, 0.5, 0.25, 0.05]),
            "price": np.round(r.uniform(5, 55, n), 2),
        }
    )


def _members(r: np.random.Generator, branches: pd.DataFrame) -> pd.DataFrame:
    n = 520
    mail = [None if r.random() < 0.2 else f"m{i}@example.org" for i in range(n)]
    return pd.DataFrame(
        {
            "member_id": np.arange(1, n + 1),
            "first_name": r.choice(GIVEN, n),
            "last_name": r.choice(SURNAMES, n),
            "category": r.choice(["adult", "student", "senior", "child"], n, p=[0.45, 0.25, 0.15, 0.15]),
            "birth_year": r.integers(1935, 2018, n),
            "joined_on": [dt.date(2012, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 4400, n)],
            "home_branch": r.choice(branches.branch_id.to_numpy()[:5], n),
            "email": mail,
            "annual_fee": r.choice([0.0, 12.0, 24.0], n),
        }
    )


def _loans(r: np.random.Generator, copies: pd.DataFrame, members: pd.DataFrame, branches: pd.DataFrame) -> pd.DataFrame:
    n = 9000
    lent = [DAY0 + dt.timedelta(int(x)) for x in np.sort(r.integers(0, 1550, n))]
    copy = r.integers(0, len(copies) - 100, n)
    kept = r.integers(1, 60, n)
    back = [None if r.random() < 0.04 else d + dt.timedelta(int(k)) for d, k in zip(lent, kept, strict=True)]
    home = copies.branch_id.to_numpy()[copy]
    other = r.choice(branches.branch_id.to_numpy()[:5], n)
    return pd.DataFrame(
        {
            "loan_id": np.arange(1, n + 1),
            "copy_id": copies.copy_id.to_numpy()[copy],
            "member_id": r.choice(members.member_id.to_numpy()[:470], n),
            "lent_on": lent,
            "due_on": [d + dt.timedelta(28) for d in lent],
            "returned_on": back,
            "lent_branch": home,
            "return_branch": pd.array(
                [
                    None if b is None else int(h if r.random() < 0.8 else o)
                    for b, h, o in zip(back, home, other, strict=True)
                ],
                dtype="Int64",
            ),
            "renewals": r.choice([0, 1, 2, 3], n, p=[0.7, 0.18, 0.08, 0.04]),
        }
    )


def _fines(r: np.random.Generator, loans: pd.DataFrame) -> pd.DataFrame:
    late = loans[(loans.returned_on.notna()) & (loans.returned_on > loans.due_on)]
    n = len(late)
    paid = [
        None if r.random() < 0.25 else d + dt.timedelta(int(x))
        for d, x in zip(late.returned_on, r.integers(0, 90, n), strict=True)
    ]
    return pd.DataFrame(
        {
            "fine_id": np.arange(1, n + 1),
            "loan_id": late.loan_id.to_numpy(),
            "amount": np.round(r.gamma(2.0, 2.5, n), 2),
            "reason": r.choice(["late", "damaged", "lost"], n, p=[0.85, 0.1, 0.05]),
            "paid_on": paid,
        }
    )
