"""What a run used: requests and tokens, side queries included."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Usage:
    """Counts over the whole tree of calls of one run. All zero means that nothing was sent."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def add(self, requests: int, input_tokens: int, output_tokens: int) -> None:
        """Count one more report."""
        self.requests += requests
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
