"""An image or a PDF as bytes with their type: what a tool may take and hand over."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import Annotated, Any

_SHOWN = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")

# How a planner fills in a parameter that takes one.
HOW = "The name of a variable that holds an image or a PDF, or a data URI such as data:image/png;base64,iVBORw0..."


@dataclass(frozen=True)
class BinaryContent:
    """Bytes and what they are. A notebook shows images; everything else is named with its size.

    As a tool's parameter a planner fills it in as a data URI, whose size is checked before anything is decoded, or as
    the name of a kernel variable that holds a picture or a PDF.
    """

    data: bytes
    media_type: str
    title: str = ""

    @property
    def is_image(self) -> bool:
        """Whether it is a picture."""
        return self.media_type.startswith("image/")

    @property
    def text(self) -> str:
        """What it is, in a line: the same at each run."""
        title = f"{self.title}: " if self.title else ""
        return f"{title}{self.media_type}, {len(self.data):,} bytes"

    def __repr__(self) -> str:
        return f"BinaryContent({self.text})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": self.text}
        if self.media_type == "image/svg+xml":
            bundle[self.media_type] = self.data.decode("utf-8", "replace")
        elif self.media_type in _SHOWN:
            bundle[self.media_type] = b64encode(self.data).decode()
        return bundle

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic import AfterValidator, Field

        from lexsi_nb.artifacts.data_uri import read

        def taken(text: str, info: Any) -> BinaryContent:
            context = info.context or {}
            named = None if text.startswith("data:") else context.get("media")
            if named is not None:
                return named(text)
            content, checked = read(text), context.get("checked")
            return content if checked is None else checked(content)

        return handler.generate_schema(Annotated[str, Field(description=HOW), AfterValidator(taken)])
