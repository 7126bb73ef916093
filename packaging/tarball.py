"""Packs the installed files as a tarball that is unpacked below ~/.local, or any other folder with bin/ and share/."""

import gzip
import io
import os
import tarfile
from pathlib import Path

NAME = f"aweave-debate-{os.environ['VERSION']}-{os.environ['TARGET']}"
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
UNIT = "lib/systemd/user/aweave-server.service"


def contents(prefix: Path) -> list[tuple[str, int, bytes]]:
    """The path below the prefix, the mode and the bytes of each file, sorted."""
    files = []
    for path in prefix.rglob("*"):
        if path.is_file():
            name, data = str(path.relative_to(prefix)), path.read_bytes()
            if name == UNIT:
                # systemd looks for a user's units below ~/.local/share, and puts the home in place of %h.
                name, data = "share/systemd/user/aweave-server.service", data.replace(b"/usr/bin/", b"%h/.local/bin/")
            files.append((name, path.stat().st_mode & 0o777, data))
    return sorted(files)


def main() -> None:
    target = Path(os.environ["DIST"]) / f"{NAME}.tar.gz"
    with (
        open(target, "wb") as file,
        gzip.GzipFile("", "wb", 9, file, EPOCH) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as tar,
    ):
        for name, mode, data in contents(Path(os.environ["TREE"]) / "usr"):
            entry = tarfile.TarInfo(f"{NAME}/{name}")
            entry.mode, entry.size, entry.mtime = mode, len(data), EPOCH
            entry.uname = entry.gname = "root"
            tar.addfile(entry, io.BytesIO(data))


if __name__ == "__main__":
    main()
