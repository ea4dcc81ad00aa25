"""Task and TaskQueue of asyncio, in virtual time.

The interpreter's own are in C and take the time from the machine's clock. These offer asyncio's
core the same (its file core.py is used unchanged), and stand in for `_asyncio`.
"""

import sys

from simlink import link


class TaskQueue:
    """Tasks ordered by `ph_key` (ms of virtual time); equal ones in the order they came."""

    def __init__(self):
        self._tasks = []

    def peek(self):
        return self._tasks[0] if self._tasks else None

    def push(self, task, key=None):
        task.data = None
        if key is None:
            key = link.now // 1000000
        task.ph_key = key
        tasks = self._tasks
        i = len(tasks)
        while i and tasks[i - 1].ph_key > key:
            i -= 1
        tasks.insert(i, task)

    def pop(self):
        return self._tasks.pop(0)

    def remove(self, task):
        self._tasks.remove(task)


class Task:
    """A coroutine that is scheduled.

    state: True running and nobody waits; a TaskQueue of those who wait; a callable; None finished
    and nobody asked; False finished and asked. data: what it waits in, or its exception.
    """

    def __init__(self, coro, globals=None):
        self.coro = coro
        self.data = None
        self.state = True
        self.ph_key = 0

    def __iter__(self):
        if not self.state:
            self.state = False
        elif self.state is True:
            self.state = TaskQueue()
        elif not isinstance(self.state, TaskQueue):
            raise RuntimeError("Task can't be waited")
        return self

    def __next__(self):
        if not self.state:
            if self.data is None:
                raise StopIteration(None)
            raise self.data
        waiting = sys.modules["asyncio.core"].cur_task
        self.state.push(waiting)
        waiting.data = self

    def done(self):
        return not self.state

    def cancel(self):
        core = sys.modules["asyncio.core"]
        if not self.state:
            return False
        task = self
        if task is core.cur_task:
            raise RuntimeError("can't cancel self")
        while isinstance(task.data, Task):
            task = task.data
        if hasattr(task.data, "remove"):
            task.data.remove(task)
            core._task_queue.push(task)
        elif task.ph_key > link.now // 1000000:
            core._task_queue.remove(task)
            core._task_queue.push(task)
        task.data = core.CancelledError
        return True


sys.modules["_asyncio"] = sys.modules[__name__]
