"""Writes the licence texts of all third-party packages in the product into one file: licenses.py FILE"""

import sys
from pathlib import Path

from dependencies import Package, crates, npm_packages

RULE = "=" * 80
NAMES = ("license", "licence", "copying", "copyright", "notice", "unlicense")


def texts(package: Package) -> list[str]:
    """The licence files of a package, in the order of their names."""
    files = sorted(path for path in package.folder.iterdir() if path.is_file() and path.name.lower().startswith(NAMES))
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files if path.suffix not in (".json", ".html")]


def main(target: Path) -> None:
    packages = crates() + npm_packages()
    by_text: dict[str, list[Package]] = {}
    without: list[Package] = []
    for package in packages:
        found = texts(package)
        if not found:
            without.append(package)
        for text in found:
            by_text.setdefault(text, []).append(package)

    lines = ["aweave debate contains the following third-party packages.", ""]
    lines += [f"  {p.name} {p.version} ({p.ecosystem}): {p.license}" + (f", {p.homepage}" if p.homepage else "") for p in packages]
    lines += ["", "The Rust standard library is licensed under MIT OR Apache-2.0; SQLite is in the public domain.", ""]
    lines += ["These packages contain no licence file, only the licence named above:", ""]
    lines += [f"  {p.name} {p.version}" for p in without]
    for text, users in sorted(by_text.items(), key=lambda item: item[1]):
        lines += ["", RULE, "For " + ", ".join(f"{p.name} {p.version}" for p in users), RULE, "", text]
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
