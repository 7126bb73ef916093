"""Writes a Python wheel whose only contents are the two binaries, so that pip, uv and pipx can install them."""

import base64
import hashlib
import os
import re
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = Path(os.environ["TREE"]) / "usr"
EPOCH = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
BINARIES = ("aw", "aweave-server")
# As PEP 440 writes pre-releases: 1.2.3-rc.1 is 1.2.3rc1.
VERSION = re.sub(r"-(a|b|rc)\w*\.?(\d+)$", r"\1\2", os.environ["VERSION"].replace("-alpha", "-a").replace("-beta", "-b"))

METADATA = f"""\
Metadata-Version: 2.4
Name: aweave-debate
Version: {VERSION}
Summary: Two AI agents debate a plan before anyone implements it; a person decides
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-MIT
License-File: LICENSE-APACHE
License-File: THIRD-PARTY-LICENSES
Requires-Python: >=3.8
Description-Content-Type: text/markdown

"""


def platform_tag() -> str:
    """The oldest system that the binaries run on, as wheels name it."""
    arch, _, system = os.environ["TARGET"].partition("-")
    if system == "apple-darwin":
        return "macosx_11_0_arm64" if arch == "aarch64" else "macosx_10_12_x86_64"
    symbols = b"".join((TREE / "bin" / name).read_bytes() for name in BINARIES)
    glibc = max(int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", symbols))
    return f"manylinux_2_{glibc}_{arch}"


def main() -> None:
    tag = platform_tag()
    info = f"aweave_debate-{VERSION}.dist-info"
    docs = TREE / "share/doc/aweave-debate"
    licenses = ("LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-LICENSES")
    files = {f"aweave_debate-{VERSION}.data/scripts/{name}": (TREE / "bin" / name).read_bytes() for name in BINARIES}
    files |= {f"{info}/licenses/{name}": (docs / name).read_bytes() for name in licenses}
    files[f"{info}/METADATA"] = METADATA.encode() + (ROOT / "packaging/description.md").read_bytes()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: aweave-debate\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode()

    def row(name: str, data: bytes) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(data)}\n"

    record = "".join(row(name, data) for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()

    target = Path(os.environ["DIST"]) / f"aweave_debate-{VERSION}-py3-none-{tag}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)


if __name__ == "__main__":
    main()
