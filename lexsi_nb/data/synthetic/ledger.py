"""Transactions of the synthetic bank: six years of months, with a running balance."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from lexsi_nb.data.synthetic.draws import Draws
    from lexsi_nb.data.synthetic.people import Columns

TYPES = ("PRIJEM", "VYDAJ", "VYBER")
OPERATIONS = ("VKLAD", "PREVOD Z UCTU", "VYBER", "PREVOD NA UCET", "VYBER KARTOU")
SYMBOLS = ("SIPO", "UVER", "POJISTNE", "UROK", "SANKC. UROK", "SLUZBY", "DUCHOD")
FEE = 1460  # hellers, a statement
# Symbol of a standing order -> symbol of its transactions; leasing and plain orders have none.
OF_ORDER = (0, 1, 2, 3, 0)


def income_of(draws: Draws, strain: np.ndarray, loan: Columns) -> np.ndarray:
    """Return the usual monthly inflow, int64 hellers. A strained borrower's payment takes more of it."""
    import numpy as np

    n, k = len(strain), len(loan["payment"])
    inflow = 600_000 + (draws.unit(n) * draws.unit(n) * 4_400_000).astype(np.int64)
    share = np.clip(17 + 5.0 * strain[:k] + 16.0 * draws.unit(k), 8.0, 75.0)
    inflow[:k] = np.clip((loan["payment"] * 10_000 / share).astype(np.int64), 450_000, 6_500_000)
    return inflow


class Ledger:
    """The movements so far: one array a column, a block a month and kind of movement."""

    def __init__(self) -> None:
        self._blocks: list[tuple[np.ndarray, ...]] = []

    def add(self, row: np.ndarray, day: np.ndarray, sign: int, operation: int, symbol: np.ndarray | int,
            amount: np.ndarray, rank: int, partner: np.ndarray | int = 0) -> None:  # fmt: skip
        """Add movements: account row, day, +1 or -1, codes, amount in hellers, rank inside the day."""
        import numpy as np

        n = len(row)
        full = [np.broadcast_to(np.asarray(x, dtype=np.int64), n) for x in (sign, operation, symbol, rank, partner)]
        self._blocks.append((row, day, amount, *full))

    def columns(self, account_id: np.ndarray) -> Columns:
        """Return the columns of `trans` by account and day, with the balance after each movement."""
        import numpy as np

        joined = [np.concatenate(parts) for parts in zip(*self._blocks, strict=True)]
        row, day, amount, sign, operation, symbol, rank, partner = joined
        order = np.lexsort((rank, day, account_id[row]))
        row, day, amount, sign = row[order], day[order], amount[order], sign[order]
        running = np.cumsum(amount * sign)
        starts = np.flatnonzero(np.concatenate([[True], row[1:] != row[:-1]]))
        before = np.concatenate([[0], running])[starts]
        lengths = np.diff(np.append(starts, len(row)))
        kind = np.where(sign > 0, 1, 2)
        # The real files call some cash withdrawals VYBER where most are VYDAJ.
        cash = np.flatnonzero((operation[order] == 3) & (symbol[order] == 0))
        kind[cash[::17]] = 3
        return {
            "trans_id": np.arange(1, len(row) + 1), "account_id": account_id[row], "day": day,
            "type": kind, "operation": operation[order], "amount": amount,
            "balance": running - np.repeat(before, lengths), "k_symbol": symbol[order],
            "partner": partner[order], "_row": row,
        }  # fmt: skip


def transactions(draws: Draws, account: Columns, loan: Columns, order: Columns, card: Columns,
                 income: np.ndarray, pensioner: np.ndarray) -> Columns:  # fmt: skip
    """Return about 1,056,000 transactions from the opening of each account to 1998-12-31."""
    import numpy as np

    book, n, k = Ledger(), len(income), len(loan["status"])
    opened, strain = account["opened"], account["strain"]
    balance = np.zeros(n, dtype=np.int64)
    by_transfer = pensioner | (draws.unit(n) < 0.22)
    employer = draws.whole(10_000_000, 99_999_999, n)
    payday = draws.whole(4, 13, n)
    # What is left at the end of a month, in shares of the inflow: little or less than nothing under strain.
    cushion = np.clip(1.5 - 0.75 * strain + 0.8 * draws.bell(n), 0.04, 6.0)
    has_card_from = np.full(n, 99_999)
    has_card_from[card["_row"]] = card["issued"]
    starts = draws.whole(1, 12, len(order["_row"]))
    order_day = np.where(order["k_symbol"] == 2, 12, draws.whole(3, 14, len(order["_row"])))
    is_loan = (order["k_symbol"] == 2) & (order["_row"] < k)
    own = np.where(is_loan, order["_row"], 0)
    for m in range(72):
        first, days = _month(m)
        age = m - _month_of(opened)
        new, old = np.flatnonzero(age == 0), np.flatnonzero(age > 0)
        gift = draws.whole(2, 12, len(new)) * 10_000
        book.add(new, opened[new], 1, 1, 0, gift, 0)
        balance[new] += gift
        _inflow(book, draws, old, first, payday, income, by_transfer, pensioner, employer, balance)
        live = age[order["_row"]] >= starts
        since = first - loan["granted"][own]
        term = (loan["duration"][own] * 30.4375).astype(np.int64)
        paying = (since > 0) & (since < term + 10) & ~_missed(draws, loan, own, since)
        due = np.flatnonzero(np.where(is_loan, paying, live))
        payer = order["_row"][due]
        book.add(payer, first + order_day[due] - 1, -1, 4, np.array(OF_ORDER)[order["k_symbol"][due]],
                 order["amount"][due], 2, order["account_to"][due])  # fmt: skip
        np.subtract.at(balance, payer, order["amount"][due])
        _spending(book, draws, old, first, strain, cushion, income, has_card_from, balance)
        _month_end(book, np.flatnonzero(age >= 0), age, first + days - 1, balance)
    return book.columns(account["account_id"])


def _month(m: int) -> tuple[int, int]:
    """Return the first day of month m since 1993-01, and its number of days."""
    start = datetime.date(1993 + m // 12, m % 12 + 1, 1)
    end = datetime.date(1993 + (m + 1) // 12, (m + 1) % 12 + 1, 1)
    return (start - datetime.date(1993, 1, 1)).days, (end - start).days


def _month_of(day: np.ndarray) -> np.ndarray:
    import numpy as np

    firsts = np.array([_month(m)[0] for m in range(73)])
    return np.searchsorted(firsts, day, side="right") - 1


def _missed(draws: Draws, loan: Columns, own: np.ndarray, since: np.ndarray) -> np.ndarray:
    """Return which payments of loans that went bad were not made; none in the first four months."""
    bad = loan["status"][own] % 2 == 1
    return bad & (since > 120) & (draws.unit(len(own)) < 0.35)


def _inflow(book, draws, old, first, payday, income, by_transfer, pensioner, employer, balance) -> None:
    """Add the month's inflow: a transfer or cash, and now and then a second deposit."""
    import numpy as np

    n = len(old)
    main = income[old] * draws.whole(85, 112, n) // 100 // 100 * 100
    wire = by_transfer[old]
    book.add(old[wire], first + payday[old[wire]] - 1, 1, 2, np.where(pensioner[old[wire]], 7, 0), main[wire], 1,
             employer[old[wire]])  # fmt: skip
    cash = ~wire
    book.add(old[cash], first + payday[old[cash]] - 1, 1, 1, 0, main[cash], 1)
    extra = draws.unit(n) < 0.20
    more = main * draws.whole(5, 40, n) // 100 // 10_000 * 10_000 + 10_000
    book.add(old[extra], first + draws.whole(1, 27, n)[extra], 1, 1, 0, more[extra], 1)
    balance[old] += main + np.where(extra, more, 0)


def _spending(book, draws, old, first, strain, cushion, income, has_card_from, balance) -> None:
    """Add cash withdrawals and card payments that take the balance towards the account's cushion."""
    import numpy as np

    n = len(old)
    usual = income[old]
    target = (cushion[old] * usual * (0.6 + 0.8 * draws.unit(n))).astype(np.int64)
    shock = draws.unit(n) < np.clip(0.012 + 0.02 * strain[old], 0.002, 0.10)
    target = np.where(shock, -(usual * draws.whole(3, 25, n) // 100), target)
    spend = np.clip(balance[old] - target, usual // 10, usual * 17 // 10)
    parts = 1 + (draws.unit(n) < 0.485).astype(np.int64)
    one = spend * np.where(parts == 2, draws.whole(35, 65, n), 100) // 100 // 10_000 * 10_000 + 10_000
    two = np.where(parts == 2, (spend - one) // 10_000 * 10_000, 0)
    with_card = (has_card_from[old] <= first) & (draws.unit(n) < 0.95)
    book.add(old, first + draws.whole(14, 20, n), -1, 3, 0, one, 3)
    again = two > 0
    for which, operation in ((again & ~with_card, 3), (again & with_card, 5)):
        book.add(old[which], first + draws.whole(21, 26, n)[which], -1, operation, 0, two[which], 3)
    balance[old] -= one + np.where(again, two, 0)


def _month_end(book, rows, age, last, balance) -> None:
    """Add interest, sanction interest where the balance is below zero, and the statement fee."""
    import numpy as np

    day = np.full(len(rows), last)
    held = balance[rows]
    interest = np.maximum(held, 0) * 25 // 10_000 + 10
    book.add(rows, day, 1, 0, 4, interest, 7)
    below = held < 0
    sanction = -held[below] * 15 // 1000 + 50
    book.add(rows[below], day[below], -1, 3, 5, sanction, 8)
    billed = age[rows] >= 6
    book.add(rows[billed], day[billed], -1, 3, 6, np.full(int(billed.sum()), FEE), 9)
    balance[rows] += interest
    balance[rows[below]] -= sanction
    balance[rows[billed]] -= FEE
