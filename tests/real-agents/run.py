#!/usr/bin/env python3
"""Drives real agent programs against the real server, with a scripted model: `make real-agents`.

    tests/real-agents/run.py BINARIES [WORD...]

runs the scenarios with one of these words in their names, or all. AW_REAL_AGENTS_PROGRAMS names a folder that keeps the programs.

The programs come from npm into a temporary folder; then this script goes on in a network namespace that has loopback only, so that no
program reaches anything else. It prints the versions and one line for each check, and ends with status 1 if one failed.

A scenario is a function in `scenarios/`, marked with `@scenario`: it scripts the models' answers, starts programs in a `World`, and
checks what became of it (see `scenario.py`).
"""

from __future__ import annotations

import fcntl
import importlib
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import scenario  # noqa: E402
from programs import PROGRAMS  # noqa: E402
from world import World  # noqa: E402

# Set for the part of the run that is in the namespace.
INSTALLED = "AW_REAL_AGENTS_INSTALLED"


def install(folder: pathlib.Path):
    """Installs what can be had. What a package fetches from elsewhere while it is installed is not there; then it is left out."""
    for name, program in PROGRAMS.items():
        prefix = folder / name
        prefix.mkdir(parents=True)
        (prefix / "package.json").write_text("{}")
        command = ["npm", "install", "--no-audit", "--no-fund", f"{program.package}@{program.version}"]
        done = subprocess.run(command, cwd=prefix, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"left out  {name}: {program.package}@{program.version} cannot be installed: {done.stderr.strip()[:300]}", flush=True)
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044))


def isolated_command() -> list[str]:
    """The command before others that gives them a network with loopback only; empty where that is not allowed."""
    for command in (["unshare", "--net"], ["unshare", "--user", "--map-current-user", "--keep-caps", "--net"]):
        if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
            return command
    return []


def bring_loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        IFF_UP_RUNNING, SIOCSIFFLAGS = 0x41, 0x8914
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP_RUNNING))


def find_programs(folder: pathlib.Path, world_environment: dict[str, str]) -> dict[str, pathlib.Path]:
    """The programs that start, with their versions printed."""
    found = {}
    for name, program in PROGRAMS.items():
        path = folder / name / "node_modules/.bin" / program.binary
        if not path.exists():
            continue
        try:
            done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, env=world_environment, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"left out  {name}: it does not start: {error}", flush=True)
            continue
        found[name] = path
        print(f"version   {name}: {done.stdout.strip().splitlines()[0]} ({program.package}@{program.version})", flush=True)
    return found


def check(binaries: pathlib.Path, wanted: list[str]) -> int:
    for file in sorted((HERE / "scenarios").glob("*.py")):
        importlib.import_module(f"scenarios.{file.stem}")
    folder = pathlib.Path(os.environ[INSTALLED])
    with tempfile.TemporaryDirectory(prefix="aw-real-agents-", dir="/var/tmp") as home:
        programs = find_programs(folder, os.environ | {"HOME": home})
    with World(binaries, programs) as world:
        return scenario.run_all(world, wanted)


def main() -> int:
    binaries, wanted = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    if INSTALLED in os.environ:
        if os.environ.get("AW_REAL_AGENTS_ISOLATED"):
            bring_loopback_up()
        return check(binaries, wanted)
    kept = os.environ.get("AW_REAL_AGENTS_PROGRAMS")
    folder = pathlib.Path(kept or tempfile.mkdtemp(prefix="aw-real-agents-", dir="/var/tmp"))
    try:
        if not (kept and any(folder.glob("*/node_modules"))):
            install(folder)
        isolated = isolated_command()
        variables = os.environ | {INSTALLED: str(folder)}
        if isolated:
            variables["AW_REAL_AGENTS_ISOLATED"] = "1"
        else:
            print("no network namespace is allowed here: the programs are pointed at a proxy that is not there", flush=True)
            nowhere = dict.fromkeys(["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"], "http://127.0.0.1:9")
            variables |= nowhere | {"NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}
        return subprocess.run([*isolated, sys.executable, __file__, *sys.argv[1:]], env=variables).returncode
    finally:
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
