"""Words that people use for one another when they ask for a tool: general office and data English, no tool's own terms.

A tool with a vocabulary of its own lists it in `@tool(capabilities=...)`, which the router reads too.
"""

from __future__ import annotations

GROUPS = (
    # data
    "data dataset source",
    "table schema structure column field",
    "value values code codes distinct spelling spelled",
    "query sql select statement",
    "mean meaning definition define term stand",
    "train fit learn",
    "predict prediction score probability likely rank forecast",
    "explain why reason reasons driver because",
    "summary summarize summarise condense short sum",
    "run execute",
    "write turn translate",
    # people and places
    "manager boss supervisor lead report reports",
    "employee colleague staff hire person",
    "customer client buyer",
    "vendor supplier",
    "office desk workplace",
    "room space",
    "building floor site",
    # doing
    "book reserve arrange schedule",
    "order buy purchase",
    "request ask apply need want",
    "report file log register",
    "create make open raise new",
    "close resolve resolved done finish",
    "check status test",
    "list show overview all",
    "find search look",
    "fix repair troubleshoot broken jam",
    "reset forgot forgotten lost",
    "renew expire expired extend",
    "compare reconcile match mismatch agree",
    # things
    "travel trip flight fly plane hotel journey",
    "meal food lunch dinner meals",
    "daily day rate allowance per-diem",
    "expense cost receipt reimbursement reimburse reimbursed",
    "vacation holiday pto leave off",
    "sick ill illness flu unwell",
    "birth child baby parental adoption adopt adopting",
    "salary pay wage earn payroll payslip",
    "invoice bill billing",
    "payment paid pay transfer",
    "email mail inbox message",
    "phishing scam fraud suspicious",
    "policy rule guideline guidelines regulation",
    "laptop computer hardware machine device monitor screen",
    "certificate cert",
    "vpn tunnel remote network",
    "mfa two-factor authenticator factor",
    "password login credential",
    "printer print printing toner",
    "ticket issue problem support",
    "document report text paper contract",
    "language french german spanish english italian",
    "supplies pens paper envelopes stationery",
)
