"""Where a scenario runs: a server, `aw`, the programs that could be had, and a user without rights beside them.

Everything is in one temporary folder.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from apis import Conversation
from model import Model, Session
from programs import PROGRAMS, Program


class Failed(Exception):
    """A check that did not hold, with what was found."""


@dataclass
class Place:
    """A user's home, and the project that the programs are started in."""

    home: Path
    project: Path


@dataclass
class Ended:
    """A program that was started and ended."""

    status: int | None
    stdout: str
    stderr: str
    # The conversation at its end, and what the script itself did wrong.
    last: Conversation
    errors: list[str]
    seconds: float

    @property
    def outputs(self) -> list[str]:
        """What came of each call that the model made."""
        return [call.output for call in self.last.calls]

    def told(self) -> str:
        """What is needed to see why a check failed."""
        calls = "\n".join(f"{call.name} {json.dumps(call.arguments)[:400]}\n=> {call.output[:1500]}" for call in self.last.calls)
        errors = "\n".join(self.errors)
        return f"status {self.status} after {self.seconds:.0f} s\n{calls}\nstdout: {self.stdout[-1500:]}\nstderr: {self.stderr[-1500:]}\n{errors}"


class World:
    """Used as a context, which ends what it started and removes what it wrote."""

    def __init__(self, binaries: Path, installed: dict[str, Path]):
        # Not below /tmp, which some sandboxes may write to.
        self.folder = Path(tempfile.mkdtemp(prefix="aw-real-agents-", dir="/var/tmp"))
        self.folder.chmod(0o755)
        self.installed = installed
        self.model = Model()
        self.processes: list[subprocess.Popen] = []
        self.places = 0
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for name in ("aw", "aweave-server"):
            shutil.copy(binaries / name, self.bin / name)
        self.user = pwd.getpwnam("nobody") if os.getuid() == 0 else None
        self.url = ""
        # The programs themselves, which `aw debate run` starts; and ripgrep, which codex brings and opencode fetches if there is none.
        ripgrep = [rg.parent for path in installed.values() for rg in path.parents[1].glob("@openai/**/codex-path/rg")]
        self.search = ":".join(map(str, [*(path.parent for path in installed.values()), *ripgrep]))

    def __enter__(self):
        self.model.__enter__()
        self.start_server()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            self.end(process)
        self.model.__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)
        # opencode makes this one whatever TMPDIR says.
        left = Path("/tmp/opencode")
        if self.user and left.exists() and left.stat().st_uid == self.user.pw_uid:
            shutil.rmtree(left, ignore_errors=True)

    def start_server(self):
        database = self.place().home / "debate.db"
        log = self.folder / "server.log"
        command = [self.bin / "aweave-server", "--port", "0", "--database-url", f"sqlite:{database}"]
        with log.open("wb") as out:
            process = self.spawn(command, database.parent, self.environment(database.parent), out)
        for _ in range(200):
            if found := re.search(r"http://127\.0\.0\.1:\d+", log.read_text()):
                self.url = found.group()
                return
            if process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError("the server did not start: " + log.read_text())

    def place(self) -> Place:
        """A new home with an empty project in it."""
        self.places += 1
        home = self.folder / f"home-{self.places}"
        (home / "project").mkdir(parents=True)
        (home / "tmp").mkdir()
        # Some programs start login shells, which set PATH anew.
        (home / ".profile").write_text(f'PATH="{self.bin}:$PATH"\n')
        self.give(home)
        return Place(home, home / "project")

    def give(self, folder: Path):
        """Makes the user the owner of a folder and of what is in it."""
        if self.user:
            for path in [folder, *folder.rglob("*")]:
                os.chown(path, self.user.pw_uid, self.user.pw_gid, follow_symlinks=False)

    def environment(self, home: Path, **more: str) -> dict[str, str]:
        path = f"{self.bin}:{self.search}:/usr/local/bin:/usr/bin:/bin:{os.path.dirname(shutil.which('node') or '')}"
        # What they leave in a folder for temporary files goes with the home.
        temporary = dict.fromkeys(["TMPDIR", "CLAUDE_CODE_TMPDIR"], str(home / "tmp"))
        return {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "TERM": "dumb", "DEBATE_SERVER_URL": self.url} | temporary | more

    def spawn(self, command, folder: Path, environment: dict[str, str], out=subprocess.PIPE, err=subprocess.STDOUT):
        as_user = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        process = subprocess.Popen(
            [str(word) for word in command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            start_new_session=True, **as_user,
        )
        self.processes.append(process)
        return process

    @staticmethod
    def end(process: subprocess.Popen):
        """Ends a process and what it started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def aw(self, place: Place, *words: str, seconds: int = 120, **environment: str) -> dict:
        """Runs `aw` as a person does, and returns the document that it prints."""
        self.give(place.home)
        variables = self.environment(place.home, **environment)
        process = self.spawn([self.bin / "aw", *words], place.project, variables, err=subprocess.PIPE)
        stdout, stderr = process.communicate(timeout=seconds)
        try:
            return json.loads(stdout)
        except ValueError as error:
            raise Failed(f"aw {' '.join(words)} printed no document: {stdout!r} {stderr!r}") from error

    def data(self, place: Place, *words: str, **environment: str) -> dict:
        """The data of a command that has to succeed."""
        document = self.aw(place, *words, **environment)
        if not document["success"]:
            raise Failed(f"aw {' '.join(words)}: {document['error']}")
        return document["content"][0]["data"]

    def agent(self, name: str, script, place: Place | None = None) -> Agent:
        """A program whose model answers as the script says, in a home of its own or in one that is there."""
        place = place or self.place()
        session = self.model.session(script)
        variables = PROGRAMS[name].configure(place.home, place.project, session.url)
        return Agent(self, name, place, session, variables)


@dataclass
class Agent:
    """A program with its home, and the script that answers it. Several may share a home."""

    world: World
    name: str
    place: Place
    session: Session
    # What it has to be started with. What starts it itself, such as `aw debate run`, needs that in its own environment.
    variables: dict[str, str]

    @property
    def program(self) -> Program:
        return PROGRAMS[self.name]

    def setup(self, *options: str) -> dict:
        """`aw setup` for this program."""
        return self.world.aw(self.place, "setup", self.program.host, *options)

    def begin(self, prompt: str, with_tools: bool = False, **environment: str) -> Running:
        """Starts the program, with leave for `aw` or for the server of tools; `Running.wait` gives what became of it."""
        self.world.give(self.place.home)
        command = [self.world.installed[self.name], *self.program.command(prompt, with_tools)]
        variables = self.world.environment(self.place.home, **self.variables, **environment)
        process = self.world.spawn(command, self.place.project, variables, err=subprocess.PIPE)
        return Running(process, self.session)

    def run(self, prompt: str, with_tools: bool = False, seconds: int = 120, **environment: str) -> Ended:
        """Starts the program and waits for its end."""
        return self.begin(prompt, with_tools, **environment).wait(seconds)

    def trust(self, tools: bool = False):
        """What its user sets before settings of the project count, or before a server of tools is used."""
        (self.program.trust_tools if tools else self.program.trust_folder)(self.place.home, self.place.project)


class Running:
    """A program that was started."""

    def __init__(self, process: subprocess.Popen, session: Session):
        self.process, self.session = process, session
        self.started = time.monotonic()
        self.asked_before = len(session.asked)

    def wait(self, seconds: int) -> Ended:
        """What became of it; it is ended after so many seconds, and has no status then."""
        try:
            stdout, stderr = self.process.communicate(timeout=seconds)
            status = self.process.returncode
        except subprocess.TimeoutExpired:
            World.end(self.process)
            stdout, stderr = self.process.communicate()
            status = None
        World.end(self.process)
        asked = self.session.asked[self.asked_before :]
        last = max(asked, key=lambda one: len(one.calls), default=Conversation(tools=[]))
        seconds = time.monotonic() - self.started
        return Ended(status, stdout.decode(errors="replace"), stderr.decode(errors="replace"), last, list(self.session.errors), seconds)
