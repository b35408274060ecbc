"""Progress with *Stop*: in place of the live lines, once a run takes long enough that somebody may want to end it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from lexsi_nb.magics.progress import NotebookProgress
from lexsi_nb.widgets.live.run_progress import RunProgress, drawn

if TYPE_CHECKING:
    from lexsi_nb.artifacts.cells import CodeCell

# Drawn by our Lab extension alone, which interrupts the kernel of its notebook.
PAGE = "application/vnd.lexsi.progress+json"
AFTER = 1.0  # seconds: a shorter run is not worth the loading of the widget libraries


class StoppableProgress(NotebookProgress):
    """The lines as in any notebook; after a second, where the page can draw it, a widget with *Stop* in their place.

    Where a click in a widget would not be heard beside the running cell (ipykernel 6, JupyterLab before 4.4), the lines
    come as an output that our extension draws with a *Stop* that interrupts the kernel by itself; without the
    extension they are text. All of it is shown from a thread of its own: the cell's may sit in one long step by then.
    """

    def __init__(self, shell: Any, after: float = AFTER, cells: Callable[[], Sequence[CodeCell]] = tuple) -> None:
        """`cells`: returns the code cells of the steps that are done."""
        super().__init__()
        self._cells = cells
        self.widget: RunProgress | None = None
        self._by_page: Any = None  # the handle of the output that the page draws
        self._shell = shell
        self._after = after
        self._timer: threading.Timer | None = None
        self._going = True
        self._lock = threading.RLock()

    def draw(self) -> None:
        """Show the lines as they are."""
        with self._lock:
            widget = self.widget
            if widget is None:
                if self._timer is None and self._going:
                    # With the context of this thread, which says whose output it is.
                    self._timer = threading.Timer(self._after, copy_context().run, (self._offer,))
                    self._timer.daemon = True
                    self._timer.start()
                if self._by_page is not None:
                    self._by_page.update(self._page_bundle(), raw=True)
                else:
                    super().draw()
        if widget is not None:  # outside of the lock: a click holds the widget's and waits for this one
            widget.show(self.lines, self.writing, self.begun)

    def clear(self) -> None:
        """Take everything away again, and close the widget."""
        try:
            self._end()
        except KeyboardInterrupt:  # a click in the run's last moment
            self._end()
            raise

    def stop(self) -> None:
        """Interrupt the cell as the notebook's stop button does, while the run goes."""
        with self._lock:
            if self._going:
                interrupt_cell()

    def _end(self) -> None:
        from lexsi_nb.widgets.live.wire import close

        with self._lock:
            self._going = False
            if self._timer is not None:
                self._timer.cancel()
            self._by_page = None
            super().clear()
            if self.widget is not None:
                close(self.widget)
                self.widget = None

    def _page_bundle(self) -> dict[str, Any]:
        state = drawn(self.lines, self.writing, self.begun)
        return {PAGE: {"version": 1, **state}, "text/plain": "\n".join(self._shown())}

    def _let_the_page_draw(self) -> None:
        from IPython.display import clear_output, display

        with self._lock:
            if self._going:
                clear_output(wait=True)
                # One output that changes in place: a button that is drawn anew under the mouse would miss the click.
                self._by_page = display(self._page_bundle(), raw=True, display_id=True)

    def _offer(self) -> None:
        """Show *Stop*: by a widget where its clicks come beside the running cell, else by the page alone."""
        from lexsi_nb.kernel.frontends import ATTRIBUTE, hosted
        from lexsi_nb.kernel.lab_channel import hears_beside
        from lexsi_nb.widgets.live.offer import can_live, offered
        from lexsi_nb.widgets.live.wire import load

        listens = getattr(self._shell, ATTRIBUTE, None) is not None and hears_beside(self._shell)
        if hosted(self._shell):
            return
        if not listens or not can_live("lab-extension"):
            self._let_the_page_draw()
            return
        load()  # takes a while, and the run may end meanwhile
        with self._lock:
            if not self._going:
                return
            from IPython.display import clear_output, display

            widget = RunProgress(self.lines, self.stop, writing=self.writing, begun=self.begun, cells=self._cells)
            bundle = offered(widget, environment="lab-extension")
            clear_output(wait=True)
            display(bundle, raw=True)
            self.widget = widget


def interrupt_cell() -> None:
    """Interrupt the thread that runs cells, also where it waits for something."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:  # Windows
        import _thread

        _thread.interrupt_main()
