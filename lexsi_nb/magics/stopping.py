"""Progress with *Stop*: in place of the live lines, once a run takes long enough that somebody may want to end it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from lexsi_nb.magics.progress import NotebookProgress
from lexsi_nb.widgets.live.run_progress import RunProgress

if TYPE_CHECKING:
    from lexsi_nb.artifacts.cells import CodeCell

AFTER = 1.0  # seconds: a shorter run is not worth the loading of the widget libraries


class StoppableProgress(NotebookProgress):
    """The lines as in any notebook; after a second, where the page can draw it, a widget with *Stop* in their place.

    The widget is shown from a thread of its own: the cell's thread may sit in one long step by then.
    """

    def __init__(self, shell: Any, after: float = AFTER, cells: Callable[[], Sequence[CodeCell]] = tuple) -> None:
        """`cells`: returns the code cells of the steps that are done."""
        super().__init__()
        self._cells = cells
        self.widget: RunProgress | None = None
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
            super().clear()
            if self.widget is not None:
                close(self.widget)
                self.widget = None

    def _offer(self) -> None:
        """Show the widget where the extension of Lab can draw it and its clicks come beside the running cell."""
        from lexsi_nb.kernel.frontends import ATTRIBUTE, hosted
        from lexsi_nb.kernel.lab_channel import hears_beside
        from lexsi_nb.widgets.live.offer import can_live, offered
        from lexsi_nb.widgets.live.wire import load

        listens = getattr(self._shell, ATTRIBUTE, None) is not None and hears_beside(self._shell)
        if not listens or hosted(self._shell) or not can_live("lab-extension"):
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
