"""Writes the bill of materials of the product, as CycloneDX 1.5: sbom.py FILE"""

import json
import os
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

from dependencies import Package, crates, npm_packages


def component(package: Package) -> dict:
    entry = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "purl": package.purl,
    }
    if " " in package.license:
        entry["licenses"] = [{"expression": package.license}]
    else:
        entry["licenses"] = [{"license": {"id": package.license}}]
    if package.hash:
        entry["hashes"] = [{"alg": package.hash[0], "content": package.hash[1]}]
    if package.homepage and package.homepage.startswith("http"):
        entry["externalReferences"] = [{"type": "website", "url": package.homepage}]
    return entry


def main(target: Path) -> None:
    version = os.environ["VERSION"]
    packages = crates() + npm_packages()
    product = f"pkg:generic/aweave-debate@{version}"
    time = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    bom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": product,
                "name": "aweave-debate",
                "version": version,
                "purl": product,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "properties": [{"name": "target", "value": os.environ["TARGET"]}],
            },
        },
        "components": [component(package) for package in packages],
        "dependencies": [
            {"ref": product, "dependsOn": sorted(package.purl for package in packages)},
            *({"ref": package.purl, "dependsOn": sorted(set(package.depends_on))} for package in packages),
        ],
    }
    # The same contents have the same serial number.
    bom["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True)).urn
    target.write_text(json.dumps(bom, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
