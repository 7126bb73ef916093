#!/usr/bin/env bash
# Prepares a release: sets the version everywhere, dates the changelog, runs all checks, commits and tags. It stops there:
# nothing leaves this machine, and it says which command publishes.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    echo "release: $1" >&2
    exit 1
}

version=${1:-}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-(alpha|beta|rc)\.[0-9]+)?$ ]] || fail 'usage: make release VERSION=1.2.3 (or 1.2.3-rc.1)'
[ -z "$(git status --porcelain)" ] || fail 'commit or stash your changes first'
if git rev-parse --quiet --verify "refs/tags/v$version" > /dev/null; then fail "the tag v$version exists already"; fi
# Not `grep -q`, which ends before sed has written everything: that would fail the pipe.
sed -n '/^## Unreleased/,/^## [0-9]/p' CHANGELOG.md | grep '^- ' > /dev/null || fail 'CHANGELOG.md says nothing under "## Unreleased"'

trap 'echo "release: stopped; \`git restore .\` takes the changes back" >&2' ERR
node packaging/version.mjs set "$version"
perl -pi -e "s/^## Unreleased\$/## Unreleased\n\n## $version - $(date -u +%Y-%m-%d)/" CHANGELOG.md
.ci/run
trap - ERR

git commit --quiet --all --message "release: $version"
git tag --annotate "v$version" --message "aweave debate $version"
cat << EOF
Committed and tagged v$version. Nothing has left this machine.
To try the packages:  make dist
To publish:           git push --atomic origin HEAD v$version
To take it back:      git tag --delete v$version && git reset --hard HEAD~1
EOF
