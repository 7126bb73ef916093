"""Lists the third-party packages that are part of the product: crates linked into the binaries, and npm packages of the web app."""

import base64
import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("aweave-server", "cli")

# What builds the web app, and is no part of it. It is among its dependencies, so that a build needs no others.
BUILD_TOOLS = {
    "@tailwindcss/postcss", "@types/node", "@types/react", "@types/react-dom", "tailwindcss", "tw-animate-css", "typescript",
}


@dataclass(order=True)
class Package:
    name: str
    version: str
    ecosystem: str  # "cargo" or "npm"
    license: str = field(compare=False)
    homepage: str | None = field(compare=False)
    folder: Path = field(compare=False)
    hash: tuple[str, str] | None = field(compare=False, default=None)  # algorithm, hexadecimal digits
    depends_on: list[str] = field(compare=False, default_factory=list)

    @property
    def purl(self) -> str:
        """The package's URL, as SBOMs name it."""
        return f"pkg:{self.ecosystem}/{self.name.replace('@', '%40')}@{self.version}"


def cargo(*arguments: str) -> str:
    return subprocess.run(["cargo", *arguments, "--locked"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def crates() -> list[Package]:
    """The crates that the binaries link; those that only build or test them are not part of the product."""
    target = os.environ["TARGET"]
    metadata = json.loads(cargo("metadata", "--format-version=1", f"--filter-platform={target}"))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}

    # The metadata also have what optional features would add; the tree has what is built.
    products = [f"--package={name}" for name in PRODUCT]
    tree = cargo("tree", *products, "--edges=normal,no-proc-macro", f"--target={target}", "--prefix=none", "--format={p}")
    built = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    is_built = {package_id: (package["name"], f"v{package['version']}") in built for package_id, package in packages.items()}
    found = [package_id for package_id in packages if is_built[package_id] and packages[package_id]["source"]]

    def linked(package_id: str) -> list[str]:
        dependencies = nodes[package_id]["deps"]
        runs = [dep["pkg"] for dep in dependencies if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        return [dependency for dependency in runs if is_built[dependency]]

    checksums = lock_checksums()
    result = []
    for package in (packages[package_id] for package_id in found):
        checksum = checksums.get((package["name"], package["version"]))
        result.append(Package(
            package["name"], package["version"], "cargo", " ".join((package["license"] or "see the licence file").replace("/", " OR ").split()),
            package["repository"] or package["homepage"], Path(package["manifest_path"]).parent,
            ("SHA-256", checksum) if checksum else None,
            [f"pkg:cargo/{packages[dep]['name']}@{packages[dep]['version']}" for dep in linked(package["id"])],
        ))
    return sorted(result)


def lock_checksums() -> dict[tuple[str, str], str]:
    """The checksum of each crate that Cargo.lock has from a registry."""
    pattern = r'name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"'
    return {(name, version): checksum for name, version, checksum in re.findall(pattern, (ROOT / "Cargo.lock").read_text())}


def npm_packages() -> list[Package]:
    """The packages that the web app is built from, without those for development and those of other platforms."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    result = []
    for path in installed_for(lock, set(lock[""]["dependencies"]) - BUILD_TOOLS):
        entry, folder = lock[path], ROOT / "web" / path
        if not folder.is_dir():
            continue
        manifest = json.loads((folder / "package.json").read_text())
        algorithm, _, digest = entry.get("integrity", "").partition("-")
        hash_ = ("SHA-512", base64.b64decode(digest).hex()) if algorithm == "sha512" else None
        repository = manifest.get("repository")
        url = manifest.get("homepage") or (repository.get("url") if isinstance(repository, dict) else repository)
        name = path.rpartition("node_modules/")[2]
        result.append(Package(name, entry["version"], "npm", entry.get("license", "see the licence file"), url, folder, hash_))
    return sorted(result)


def installed_for(lock: dict, names: set[str]) -> list[str]:
    """The paths in the lock file of these packages and of all that they need."""
    found, left = set(), [("", name) for name in names]
    while left:
        folder, name = left.pop()
        # The nearest one, from the folder of whoever depends on it upwards.
        while (path := f"{folder}/node_modules/{name}".lstrip("/")) not in lock and folder:
            folder = folder.rpartition("node_modules/")[0].rstrip("/")
        if path in lock and path not in found:
            found.add(path)
            entry = lock[path]
            peers = set(entry.get("peerDependencies", {})) - set(entry.get("peerDependenciesMeta", {}))
            left += [(path, other) for other in set(entry.get("dependencies", {})) | peers]
    return sorted(found)
