"""A made-up university: five related tables, made from a seed; two lecturers of a course and of a thesis."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd

SUR = """Abbott Baker Castellan Dorn Ellery Faulk Grieg Haddad Iversen Jahn Kowal Lindqvist Marsh Nagy Okafor Petit
Quist
Rahman Salas Thorne Ueda Vance Whitlock Yilmaz Zeller Bosch Crane Drury Eklund Fontaine""".split()
GIV = """Ada Boris Chen Dana Emil Farah Gita Henk Iris Jamal Kaya Leon Mira Noor Otto Priya Quinn Rosa Said Tove Uma
Vito
Wanda Yuki Zane""".split()


def load() -> dict[str, pd.DataFrame]:
    """Return {table name: frame}."""
    r = np.random.default_rng(4242)
    depts, lect = _lecturers(r)
    course = _courses(r, depts, lect)
    stu = _students(r, depts, lect)
    enr = _enrolments(r, course, stu)
    thesis = _theses(r, stu, lect)
    return {"Students": stu, "Lecturers": lect, "Courses": course, "Enrolments": enr, "Theses": thesis}


def _lecturers(r: np.random.Generator) -> tuple[Any, ...]:
    """Return the departments and lecturers."""
    depts = ["Mathematics", "Physics", "History", "Economics", "Computer Science", "Law"]
    nl = 48
    lect = pd.DataFrame(
        {
            "LecturerId": [f"L{i:03d}" for i in range(1, nl + 1)],
            "FullName": [f"{GIV[int(r.integers(25))]} {SUR[i % 30]}" for i in range(nl)],
            "Dept": r.choice(depts, nl),
            "Rank": r.choice(["Professor", "Associate Professor", "Lecturer"], nl, p=[0.3, 0.3, 0.4]),
            "YearlyPayKEur": np.round(r.normal(74, 14, nl), 1),
            "HiredOn": [dt.date(1990, 9, 1) + dt.timedelta(int(x)) for x in r.integers(0, 11900, nl)],
            "PhDYear": pd.array(
                [None if r.random() < 0.15 else int(r.integers(1980, 2019)) for _ in range(nl)], dtype="Int64"
            ),
        }
    )
    return depts, lect


def _courses(r: np.random.Generator, depts: Any, lect: Any) -> pd.DataFrame:
    """Return the courses."""
    topics = {
        "Mathematics": ["Algebra", "Topology", "Statistics", "Number Theory"],
        "Physics": ["Mechanics", "Optics", "Quantum Physics"],
        "History": ["Ancient Rome", "Cold War", "Medieval Europe"],
        "Economics": ["Microeconomics", "Game Theory", "Public Finance", "Econometrics"],
        "Computer Science": ["Databases", "Compilers", "Machine Learning", "Networks"],
        "Law": ["Contract Law", "Tax Law", "Criminal Law"],
    }
    rows = []
    for d in depts:
        own = lect.LecturerId[lect.Dept == d].to_numpy()
        for t in topics[d]:
            for lev, num in (("BSc", "I"), ("MSc", "II")):
                a = r.choice(own)
                rows.append(
                    (
                        f"{d[:2].upper()}{100 * (1 + (lev == 'MSc')) + len(rows)}",
                        f"{t} {num}",
                        d,
                        int(r.choice([3, 5, 6, 7.5 // 1, 10])),
                        lev,
                        a,
                        None if r.random() < 0.6 else str(r.choice(lect.LecturerId[lect.LecturerId != a])),
                        int(r.integers(12, 130)),
                    )
                )
    course = pd.DataFrame(
        rows, columns=["CourseCode", "Title", "Dept", "CreditPts", "Level", "LecturerId", "CoLecturerId", "MaxSeats"]
    )
    return course


def _students(r: np.random.Generator, depts: Any, lect: Any) -> pd.DataFrame:
    """Return the students."""
    ns = 1600
    prog = r.choice(depts, ns, p=[0.12, 0.1, 0.13, 0.24, 0.27, 0.14])
    stu = pd.DataFrame(
        {
            "StudentNo": np.arange(220001, 220001 + ns),
            "FullName": [f"{r.choice(GIV)} {r.choice(SUR)}" for _ in range(ns)],
            "Gender": r.choice(["female", "male", "diverse"], ns, p=[0.51, 0.47, 0.02]),
            "BirthDate": [dt.date(1988, 1, 1) + dt.timedelta(int(x)) for x in r.integers(0, 6300, ns)],
            "Programme": prog,
            "HomeCountry": r.choice(
                ["Norway", "Kenya", "India", "Chile", "Germany", "Vietnam"], ns, p=[0.42, 0.08, 0.17, 0.07, 0.16, 0.1]
            ),
            "MatriculatedOn": [
                f"{y}-{mth}-01"
                for y, mth in zip(r.integers(2017, 2024, ns), r.choice(["02", "09"], ns, p=[0.2, 0.8]), strict=True)
            ],
            "ScholarshipEur": [
                None if r.random() < 0.7 else float(r.choice([1500, 3000, 4500, 6000])) for _ in range(ns)
            ],
            "MentorId": [None if r.random() < 0.25 else str(r.choice(lect.LecturerId)) for _ in range(ns)],
            "Status": r.choice(["active", "graduated", "dropped out", "on leave"], ns, p=[0.5, 0.33, 0.13, 0.04]),
        }
    )
    return stu


def _enrolments(r: np.random.Generator, course: Any, stu: Any) -> pd.DataFrame:
    """Return the enrolments."""
    terms = [f"{y}{h}" for y in range(2018, 2024) for h in ("S", "A")]  # spring, autumn
    e = []
    cc = course.CourseCode.to_numpy()[:-2]
    for s in stu.StudentNo.to_numpy()[:1520]:
        for c in r.choice(cc, int(r.integers(1, 9)), replace=False):
            g = None if r.random() < 0.09 else round(float(np.clip(r.normal(6.6, 1.5), 1, 10)) * 2) / 2
            e.append((s, c, str(r.choice(terms)), g, None if g is None else bool(g >= 5.5)))
    enr = pd.DataFrame(e, columns=["StudentNo", "CourseCode", "Term", "FinalGrade", "Passed"])
    enr.insert(0, "EnrolmentId", np.arange(1, len(enr) + 1))
    enr["Passed"] = enr["Passed"].astype("boolean")
    return enr


def _theses(r: np.random.Generator, stu: Any, lect: Any) -> pd.DataFrame:
    """Return the theses."""
    nt = 420
    who = (
        r.choice(stu.StudentNo[(stu.Status == "graduated").to_numpy()].to_numpy(), nt, replace=False)
        if (stu.Status == "graduated").sum() >= nt
        else stu.StudentNo.to_numpy()[:nt]
    )
    sup = r.choice(lect.LecturerId.to_numpy()[:40], nt)
    sec = [str(r.choice(lect.LecturerId[lect.LecturerId != s])) for s in sup]
    thesis = pd.DataFrame(
        {
            "ThesisNo": np.arange(1, nt + 1),
            "StudentNo": who,
            "SupervisorId": sup,
            "SecondReaderId": sec,
            "SubmittedOn": [dt.date(2020, 1, 15) + dt.timedelta(int(x)) for x in r.integers(0, 1420, nt)],
            "Mark": np.round(np.clip(r.normal(7.4, 0.9, nt), 4, 10), 1),
            "PageCount": r.integers(28, 142, nt),
            "Language": r.choice(["en", "no", "de"], nt, p=[0.7, 0.22, 0.08]),
        }
    )
    return thesis
