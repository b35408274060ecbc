"""Accounts, clients, dispositions, cards, loans and standing orders of the synthetic bank."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from lexsi_nb.data.synthetic.draws import Draws

    Columns = dict[str, np.ndarray]

ACCOUNTS, CO_HOLDERS = 4500, 869
OPENED = {1993: 1139, 1994: 439, 1995: 661, 1996: 1363, 1997: 898}
STATUSES = "ABCD"
# Status and months : year x loans. The joint distribution of the PKDD'99 loans.
LOANS = """
A12:1993x4,1994x24,1995x13,1996x12,1997x40 A24:1993x3,1994x23,1995x21,1996x17 A36:1993x5,1994x16,1995x11
A48:1993x1,1994x10 A60:1993x3
B12:1993x1,1994x2,1995x1,1996x3,1997x3 B24:1993x2,1994x3,1995x3,1996x3 B36:1994x5,1995x2 B48:1994x2 B60:1993x1
C12:1998x27 C24:1997x29,1998x28 C36:1996x24,1997x27,1998x32 C48:1995x15,1996x26,1997x39,1998x31
C60:1994x14,1995x18,1996x22,1997x35,1998x36
D12:1998x1 D24:1997x6 D36:1996x4,1997x4 D48:1995x3,1996x4,1997x5,1998x2 D60:1994x2,1995x3,1996x2,1997x8,1998x1
"""
# Typical monthly payment in CZK by status: loans that go bad are larger.
PAYMENT = (4300, 5100, 3900, 5000)
CARDS = {0: 60, 1: 2, 2: 105, 3: 3}  # loans of a status whose account has a card
CARDS_BEFORE_LOAN, CARDS_TOTAL = 36, 892
CARD_TYPES = ("junior", "classic", "gold")
CO_HELD = {0: 55, 2: 90}  # loans of a status whose account has a co-holder
SYMBOLS = ("SIPO", "UVER", "POJISTNE", "LEASING")
ORDERING, SIPO, OTHER_LOANS, INSURED, LEASED, PLAIN = 3758, 3502, 35, 532, 341, 1379
BANKS = ("AB", "CD", "EF", "GH", "IJ", "KL", "MN", "OP", "QR", "ST", "UV", "WX", "YZ")
LAST_DAY = 2190  # 1998-12-31, in days since 1993-01-01


def day_of(year: int, month: int = 1, day: int = 1) -> int:
    """Return the days from 1993-01-01 to a date."""
    import datetime

    return (datetime.date(year, month, day) - datetime.date(1993, 1, 1)).days


def loans(draws: Draws) -> Columns:
    """Return the 682 loans without their accounts: status 0-3, months, day granted, payment in CZK, strain.

    Strain is what the causes of default share: it lowers balances, shortens the history and raises the share of
    the inflow that the payment takes. Loans that go bad have more of it; the classes overlap.
    """
    import numpy as np

    rows: list[tuple[int, int, int]] = []
    for group in LOANS.split():
        head, years = group.split(":")
        for item in years.split(","):
            year, count = item.split("x")
            rows += [(STATUSES.index(head[0]), int(head[1:]), int(year))] * int(count)
    status, months, year = (np.array(x, dtype=np.int64) for x in zip(*rows, strict=True))
    n = len(rows)
    first = np.array([day_of(y, 7 if y == 1993 else 1, 5) for y in year])
    last = np.array([day_of(y, 12, 8) for y in year])
    granted = first + (draws.unit(n) * (last - first + 1)).astype(np.int64)
    bad = (status % 2).astype(np.float64)
    strain = draws.bell(n) + 1.5 * bad - 0.2
    typical = np.array(PAYMENT, dtype=np.int64)[status]
    payment = np.clip((typical * (draws.unit(n) + draws.unit(n))).astype(np.int64), 304, 9910)
    return {"status": status, "duration": months, "granted": granted, "payment": payment, "strain": strain}


def accounts(draws: Draws, loan: Columns, unemployment: np.ndarray, people: np.ndarray) -> Columns:
    """Return the 4,500 accounts; the first 682 rows carry the loans, in the order of `loan`."""
    import numpy as np

    n, k = ACCOUNTS, len(loan["status"])
    strain = draws.bell(n)
    strain[:k] = loan["strain"]
    # History before the loan: 102 to 697 days; strained borrowers come sooner.
    share = np.where(loan["strain"] > 0.9, np.minimum(draws.unit(k), draws.unit(k)), draws.unit(k))
    opened_first = np.clip(loan["granted"] - 102 - (share * 595).astype(np.int64), 0, day_of(1997, 12, 29))
    left = []
    for year, count in OPENED.items():
        start, end = day_of(year), day_of(year, 12, 29)
        rest = count - int(((opened_first >= start) & (opened_first < day_of(year + 1))).sum())
        left.append(draws.whole(start, end, max(rest, 0)))
    others = np.concatenate(left)
    others = others[draws.order(len(others))][: n - k]
    if len(others) < n - k:
        others = np.concatenate([others, draws.whole(0, day_of(1997, 12, 29), n - k - len(others))])
    # Branches by population, Prague less; strained borrowers rather where many have no work.
    weight = people // 200
    weight[0] = 1250
    harsh = weight * (60 + unemployment) // 100
    mild = weight * 300 // (150 + unemployment)
    district = draws.pick(weight.tolist(), n)
    turn = draws.unit(n)
    district = np.where((strain > 0.8) & (turn < 0.6), draws.pick(harsh.tolist(), n), district)
    district = np.where((strain < -0.3) & (turn < 0.4), draws.pick(mild.tolist(), n), district)
    ids = draws.sample(1, 11382, n)[draws.order(n)]
    frequency = 1 + draws.pick([9260, 533, 207], n)
    return {
        "account_id": ids, "district_id": district + 1, "frequency": frequency,
        "opened": np.concatenate([opened_first, others]), "strain": strain,
    }  # fmt: skip


def holders(draws: Draws, account: Columns, loan: Columns) -> tuple[Columns, Columns]:
    """Return client and disp, in the order of the accounts' keys."""
    import numpy as np

    n, k = ACCOUNTS, len(loan["status"])
    second = np.zeros(n, dtype=bool)
    for status, count in CO_HELD.items():
        rows = np.flatnonzero(loan["status"] == status)
        second[rows[draws.order(len(rows))[:count]]] = True
    rest = k + draws.order(n - k)
    second[rest[: CO_HOLDERS - int(second.sum())]] = True
    by_id = np.argsort(account["account_id"])
    row = np.repeat(by_id, 1 + second[by_id])
    is_owner = np.concatenate([[True], row[1:] != row[:-1]])
    m = len(row)
    born = draws.whole(day_of(1925), day_of(1977, 12, 31), m)
    home = np.where(is_owner & (draws.unit(m) < 0.092), draws.whole(1, 77, m), account["district_id"][row])
    home[~is_owner] = home[np.flatnonzero(~is_owner) - 1]
    gender = np.full(m, 2, dtype=np.int64)
    gender[draws.order(m)[:2645]] = 1
    client_id = draws.sample(1, 13998, m)
    client = {"client_id": client_id, "born": born, "gender": gender, "district_id": home}
    disp = {
        "disp_id": draws.sample(1, 13690, m), "client_id": client_id, "account_id": account["account_id"][row],
        "type": np.where(is_owner, 1, 2), "_row": row, "_owner": is_owner,
    }  # fmt: skip
    return client, disp


def cards(draws: Draws, account: Columns, loan: Columns, client: Columns, disp: Columns) -> Columns:
    """Return 892 cards of owners. Most cards of borrowers were issued after the loan."""
    import numpy as np

    k = len(loan["status"])
    chosen = []
    for status, count in CARDS.items():
        rows = np.flatnonzero(loan["status"] == status)
        chosen.append(rows[draws.order(len(rows))[:count]])
    borrowers = np.concatenate(chosen)
    others = k + draws.order(ACCOUNTS - k)[: CARDS_TOTAL - len(borrowers)]
    rows = np.concatenate([borrowers, others])
    n = len(rows)
    low, high = account["opened"][rows] + 60, np.full(n, LAST_DAY - 2)
    history = loan["granted"][borrowers] - account["opened"][borrowers]
    early = np.argsort(-history, kind="stable")[:CARDS_BEFORE_LOAN]
    low[: len(borrowers)] = loan["granted"][borrowers] + 1
    low[early] = account["opened"][borrowers[early]] + 60
    high[early] = loan["granted"][borrowers[early]] - 1
    late = np.maximum(draws.unit(n), draws.unit(n))
    issued = low + (late * (high - low + 1)).astype(np.int64)
    owner = np.flatnonzero(disp["_owner"])
    of_account = np.empty(ACCOUNTS, dtype=np.int64)
    of_account[disp["_row"][owner]] = owner
    holder = of_account[rows]
    kind = np.full(n, 2, dtype=np.int64)
    young = draws.order(n)[:233]
    kind[young[:145]], kind[young[145:]] = 1, 3
    teens = holder[kind == 1]
    client["born"][teens] = draws.whole(day_of(1977), day_of(1982, 12, 31), len(teens))
    return {
        "card_id": draws.sample(1, 1247, n)[draws.order(n)], "disp_id": disp["disp_id"][holder], "type": kind,
        "issued": issued, "_row": rows,
    }  # fmt: skip


def orders(draws: Draws, account: Columns, loan: Columns, income: np.ndarray) -> Columns:
    """Return 6,471 standing orders; amounts in hellers. UVER of a borrower is the loan's own payment."""
    import numpy as np

    k = len(loan["status"])
    paying = np.concatenate([np.arange(k), k + draws.order(ACCOUNTS - k)[: ORDERING - k]])
    shuffled = paying[draws.order(ORDERING)]
    household, bare = shuffled[:SIPO], shuffled[SIPO:]
    other_loans = draws.order(ORDERING - k)[:OTHER_LOANS] + k
    plain = np.concatenate([bare, household[draws.order(SIPO)[: PLAIN - len(bare)]]])
    groups = [
        (1, household), (2, np.concatenate([np.arange(k), paying[other_loans]])),
        (3, paying[draws.order(ORDERING)[:INSURED]]), (4, paying[draws.order(ORDERING)[:LEASED]]), (0, plain),
    ]  # fmt: skip
    row = np.concatenate([g for _, g in groups])
    symbol = np.concatenate([np.full(len(g), s, dtype=np.int64) for s, g in groups])
    n = len(row)
    share = np.array([8, 22, 20, 6, 10])[symbol] * (20 + draws.whole(0, 160, n))
    amount = np.maximum(income[row] * share // 10_000 // 10 * 10, 5_000)
    own = np.flatnonzero(symbol == 2)[:k]
    amount[own] = loan["payment"] * 100
    order = np.lexsort((symbol, account["account_id"][row]))
    return {
        "order_id": draws.sample(29401, 46338, n), "account_id": account["account_id"][row][order],
        "bank_to": 1 + draws.whole(0, len(BANKS) - 1, n), "account_to": draws.whole(10_000_000, 99_999_999, n),
        "amount": amount[order], "k_symbol": symbol[order], "_row": row[order],
    }  # fmt: skip
