"""Helper processes that are gone when the process that wanted them is, whatever ended it."""

import collections
import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from foodenvs.core.errors import UserError

MOST_LOSSES = 3  # of processes that end under the same job


class WorkerLost(UserError):
    """The process of a job ended again and again."""


class Job:
    """A call in another process. answer: whether it gave a value, and that or its error; None before."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.call = function, arguments
        self.answer: tuple[bool, Any] | None = None
        self.losses = 0


class Workers:
    """Processes that call functions, for a `with` block; they are ended when it is left.

    They are started as there is work. What a process that is killed had to do is begun again in another.
    prepare: called in each process before its first job.

    concurrent.futures has no such pool: where one of its processes is killed, all jobs of all processes are
    lost; a process that ends while it answers can hang it; and its processes outlive the one that is killed.
    """

    def __init__(self, processes: int, prepare: Callable[[], Any]) -> None:
        self.processes, self._prepare = processes, prepare
        self._waiting: collections.deque[Job] = collections.deque()
        self._workers: list[_Worker] = []

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *error: Any) -> None:
        self.end()

    def end(self) -> None:
        """End all processes, whatever they are at."""
        while self._workers:
            self._workers.pop().end()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Job:
        """Have `function(*arguments)` called; both must be picklable, and the value too."""
        job = Job(function, arguments)
        self._waiting.append(job)
        self._hand_out()
        return job

    def result(self, job: Job) -> Any:
        """What a job gives or raises; WorkerLost where MOST_LOSSES processes ended at it."""
        while job.answer is None:
            self._listen()
        gave, value = job.answer
        if not gave:
            raise value
        return value

    def results(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Jobs and what they give, in the order in which they are done."""
        left = list(jobs)
        while left:
            done = next((job for job in left if job.answer is not None), None)
            if done is None:
                self._listen()
            else:
                left.remove(done)
                yield done, self.result(done)

    def _hand_out(self) -> None:
        while self._waiting:
            worker = next((worker for worker in self._workers if worker.job is None), None)
            if worker is None:
                if len(self._workers) == self.processes:
                    return
                worker = _Worker(self._prepare)
                self._workers.append(worker)
            worker.take(self._waiting.popleft())

    def _listen(self) -> None:
        """Wait for an answer or the end of a process."""
        ready = wait([worker.pipe for worker in self._workers])
        for worker in [worker for worker in self._workers if worker.pipe in ready]:
            job, worker.job = worker.job, None
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                worker.end()
                self._workers.remove(worker)
                if job:
                    self._lost(job)
            else:
                assert job
                job.answer = answer
        self._hand_out()

    def _lost(self, job: Job) -> None:
        job.losses += 1
        if job.losses == MOST_LOSSES:
            raise WorkerLost(
                f"worker processes ended {MOST_LOSSES} times at the same work: killed, out of memory, or by "
                "an agent that exits"
            )
        print("foodenvs: a worker process ended; its work is begun again", file=sys.stderr)
        self._waiting.appendleft(job)


class _Worker:
    """A process, the pipe to it, and the job that it is at."""

    def __init__(self, prepare: Callable[[], Any]) -> None:
        context = multiprocessing.get_context("spawn")
        self.job: Job | None = None
        self.pipe, other_end = context.Pipe()
        self._process = context.Process(target=_work, args=(other_end, prepare), daemon=True)
        with other_end, _interrupts_held_back():  # what a process blocks, those that it starts block too
            self._process.start()

    def take(self, job: Job) -> None:
        self.job = job
        with contextlib.suppress(OSError):  # it has ended, as will be seen where its answer is read
            self.pipe.send(job.call)

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C reaches all processes of a terminal; what it means for helpers is for the first to say."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # the first process would start it, which lets interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, prepare: Callable[[], Any]) -> None:
    """What a worker does until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare()
    for function, arguments in messages(pipe.recv):
        try:
            answer = True, function(*arguments)
        except Exception as error:
            error.add_note(f"in a worker process:\n{traceback.format_exc()}")
            answer = False, error
        with contextlib.suppress(OSError):  # nobody is left to be told
            pipe.send(answer)


def messages(receive: Callable[[], Any], end: Callable[[], Any] = lambda: os._exit(1)) -> Iterator[Any]:
    """What another process sends, as `receive` gives it one by one (EOFError when there will be no more).

    end: called as soon as the other process hangs up or dies, in another thread, whatever this one is at.
    """
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                inbox.put(receive())
        except (EOFError, OSError):
            pass
        except BaseException:
            traceback.print_exc()
        end()

    threading.Thread(target=listen, daemon=True).start()
    while True:
        yield inbox.get()
