"""Tools to route among: those of this package, with a precise and a vague text each, and thirty of an office."""

from __future__ import annotations

from lexsi_nb.toolkit.declare import tool_of
from lexsi_nb.toolkit.spec import ToolSpec
from lexsi_nb.tools.catalogue import built_in

OFFICE = {
    "reset_password": "Reset a forgotten password or unlock a locked account.",
    "enroll_mfa": "Enroll a user in two-factor authentication with an authenticator app.",
    "check_vpn_status": "Check whether the VPN tunnel for remote access is up.",
    "renew_device_certificate": "Renew an expired device certificate on a laptop.",
    "request_laptop": "Request new laptop hardware or a monitor.",
    "report_phishing": "Report a suspicious phishing email to security.",
    "fix_printer": "Troubleshoot a broken printer or order toner.",
    "submit_expense": "Submit an expense with receipts for reimbursement, car mileage included.",
    "book_travel": "Book flights and hotels for a business trip.",
    "get_per_diem": "Get the daily per-diem rate for meals on travel.",
    "request_pto": "Request vacation or PTO days off.",
    "get_pto_balance": "Get the remaining balance of PTO and vacation.",
    "report_sick_day": "Report a sick day or sick leave.",
    "request_parental_leave": "Request parental leave for a birth or an adoption.",
    "get_payslip": "Get a payslip or payroll statement.",
    "get_salary_band": "Get the salary band and bonus target of a role.",
    "start_onboarding": "Start onboarding for a new hire and schedule orientation.",
    "list_invoices": "List vendor invoices of a quarter.",
    "list_payments": "List payments sent to vendors.",
    "reconcile_invoices": "Reconcile vendor invoices against payments and list mismatches.",
    "create_invoice": "Create an invoice and send it to a customer.",
    "send_email": "Send an email from the shared inbox.",
    "search_policies": "Search company policies and guidelines.",
    "open_ticket": "Open an IT support ticket for an issue.",
    "close_ticket": "Close a resolved IT support ticket.",
    "get_org_chart": "Look up who reports to whom in the org chart.",
    "book_meeting_room": "Book a meeting room in an office building.",
    "order_office_supplies": "Order office supplies such as pens and notebooks.",
    "translate_text": "Translate text between languages.",
    "summarize_document": "Summarize a long document.",
}
# What the ten would be called by somebody in a hurry.
VAGUE = {
    "connect_datalake": "Connects things.",
    "inspect_data": "Looks at information.",
    "query_kg": "Searches for information.",
    "text_to_sql": "Helps with questions about data.",
    "run_sql": "Gets data.",
    "sample_values": "Shows some data.",
    "train_tabular_model": "Does machine learning.",
    "predict": "Uses a model.",
    "explain_prediction": "Gives more information about results.",
    "summarize_result": "Handles results.",
}


def ours() -> list[ToolSpec]:
    """Return the specs of the built-in tools."""
    return [tool_of(t).spec for t in built_in()]


def forty() -> list[ToolSpec]:
    """Return the specs of all, at least forty."""
    return [*ours(), *(spec(name, text) for name, text in OFFICE.items())]


def spec(name: str, description: str) -> ToolSpec:
    """Return a spec of a name and a description."""
    return ToolSpec(name, description, args_schema=lambda: dict)
