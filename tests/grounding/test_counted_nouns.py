"""What is counted is the noun that was asked for, and a value that is written just so goes before those like it."""

from __future__ import annotations

import pandas as pd
import pytest

import lexsi_nb as lx

CUSTOMERS = pd.DataFrame(
    {"customer_id": [1, 2, 3, 4], "name": ["Ann", "Bob", "Ann", "Zoë"], "city": ["Oslo", "Rome", "Oslo", None]}
)
DAYS = ["2024-01-01", "2024-01-01", "2024-02-01", "2024-02-02", "2024-04-01", "2024-04-02", "2024-04-03", None]
ORDERS = pd.DataFrame(
    {
        "id": range(8),
        "customer_id": [1, 1, 2, 2, 2, 3, 3, 1],
        "item": ["tea", "tea", "tea", "mug", "mug", "mug", "tea", "mug"],
        "amount": [10, 20, 30, 40, None, 60, 70, 80],
        "day": pd.to_datetime(DAYS),
    }
)
PATIENTS = pd.DataFrame({"p_id": [1, 2, 3], "pname": ["Al", "Bo", "Cy"]})
VISITS = pd.DataFrame({"visit_id": range(5), "patient_id": [1, 1, 1, 2, 3], "ward": list("AABBB")})
EMPLOYEES = pd.DataFrame({"employee_id": [1, 2, 3], "ename": ["Al", "Bo", "Cy"]})
SALES = pd.DataFrame({"sale_id": range(5), "employee_id": [1, 1, 1, 2, 3], "product": list("ppqqp")})
SHOP = {"customers": CUSTOMERS, "orders": ORDERS}
CLINIC = {"patients": PATIENTS, "visits": VISITS}
STAFF = {"employees": EMPLOYEES, "sales": SALES}


@pytest.mark.parametrize(
    ("tables", "question", "number"),
    [
        (SHOP, "how many customers ordered tea?", 3),
        (SHOP, "how many customers bought tea?", 3),
        (SHOP, "how many distinct customers ordered tea?", 3),
        (SHOP, "how many unique customers bought mugs?", 3),
        (SHOP, "how many different customers ordered?", 3),
        (SHOP, "count customers ordering tea", 3),
        (SHOP, "how many customers order tea?", 3),
        (SHOP, "how many customers who ordered tea?", 3),
        (SHOP, "how many customers in Oslo ordered tea?", 2),
        (SHOP, "how many customers ordered in January 2024?", 1),
        (SHOP, "how many customers ordered in 2024?", 3),
        (SHOP, "how many customers never ordered tea?", 1),
        (SHOP, "how many customer orders?", 8),
        (SHOP, "how many orders did customers place?", 8),
        (SHOP, "how many tea orders?", 4),
        (CLINIC, "how many patients visited ward A?", 1),
        (CLINIC, "how many distinct patients visited ward A?", 1),
        (CLINIC, "how many patients visited ward B?", 3),
        (STAFF, "how many employees sold product p?", 2),
        (STAFF, "how many unique employees sold product p?", 2),
        ({"orders": ORDERS}, "how many customers ordered tea?", 3),
    ],
)
def test_the_noun_after_how_many_is_counted(tables: dict[str, pd.DataFrame], question: str, number: int) -> None:
    run = lx.Session(dict(tables)).ask(question)
    assert run.status == "answered", run
    assert run.frame.iloc[0, 0] == number


def test_a_list_of_those_who_did_something_is_of_them() -> None:
    run = lx.Session(dict(SHOP)).ask("which customers ordered tea?")
    assert sorted(run.frame["customer_id"]) == [1, 2, 3]


def test_what_somebody_did_is_no_list_of_them() -> None:
    assert "amount" in lx.Session(dict(SHOP)).ask("what did customers order?").frame.columns


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many customers ordered tea per day?", "orders.day"),
        ("how many customers who ordered tea by item?", "orders.item"),
        ("average number of customers ordering tea per day", "orders.day"),
        ("how many customers ordered no tea?", "no tea"),
    ],
)
def test_groups_of_other_rows_than_those_told_of_are_declined(question: str, said: str) -> None:
    run = lx.Session(dict(SHOP)).ask(question)
    assert run.status == "declined"
    assert said in run.answer


def test_distinct_things_of_a_table_without_a_key_are_declined() -> None:
    people = pd.DataFrame({"name": ["Ann", "Ann", "Bob"], "city": ["Oslo", "Oslo", "Rome"]})
    run = lx.Session({"people": people}).ask("how many distinct people are there?")
    assert run.status == "declined"
    assert "key" in run.answer


CODES = pd.DataFrame({"id": [1, 2, 3, 4], "code": ["A", "a", "A ", "b"], "amt": [1, 2, 3, 4]})
MIXED = pd.DataFrame({"id": [1, 2, 3, 4], "code": ["ab", "Ab", "aB ", "b"], "amt": [1, 2, 3, 4]})
NOTES = pd.DataFrame({"id": [1, 2, 3, 4, 5], "note": ["it's", "50%", "50 %", "NULL", ""], "amt": [1, 2, 4, 8, 16]})


@pytest.mark.parametrize(
    ("orders", "question", "number"),
    [
        (CODES, 'total amt with code "a"', 2),
        (CODES, "total amt with code a", 2),
        (CODES, 'total amt with code "A"', 1),
        (CODES, 'total amt with code "A "', 3),
        (CODES, 'total amt with code "B"', 4),
        (NOTES, 'total amt with note "50%"', 2),
        (NOTES, 'total amt with note "50 %"', 4),
        (NOTES, 'total amt with note "NULL"', 8),
        (NOTES, 'total amt with note "it\'s"', 1),
        (NOTES, 'how many orders have note "50%"', 1),
        (MIXED, 'total amt with code "AB"', 6),
    ],
)
def test_a_value_written_just_so_goes_before_those_read_alike(orders: pd.DataFrame, question: str, number: int) -> None:
    run = lx.Session({"orders": orders}).ask(question)
    assert run.status == "answered", run
    assert run.frame.iloc[0, 0] == number


def test_the_reading_says_every_value_that_is_read_alike() -> None:
    answer = lx.Session({"orders": MIXED}).ask('total amt with code "AB"').answer
    assert all(v in answer for v in ("ab", "Ab", "aB "))
