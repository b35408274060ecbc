"""Widgets that answer to a person: drawn in the page, kept in the kernel; each beside a static form that stays."""
