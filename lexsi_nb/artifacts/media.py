"""An image or a PDF as bytes with their type: what a tool may take and hand over."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import Annotated, Any

_SHOWN = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")


@dataclass(frozen=True)
class BinaryContent:
    """Bytes and what they are. A notebook shows images; everything else is named with its size.

    As a tool's parameter a planner fills it in as a data URI; the size is checked before anything is decoded.
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

        what = "A data URI of an image or a PDF, such as data:image/png;base64,iVBORw0..."
        return handler.generate_schema(Annotated[str, Field(pattern="^data:", description=what), AfterValidator(read)])
