#!/usr/bin/env bash
# snapshot.sh DIR REPOSITORY COMMIT PATH... puts paths of a repository, as they were at a commit, into a directory. COMMIT:FOLDER
# takes paths below a folder. Exit code 75 means that the repository cannot be reached; REPOSITORY in the environment names a clone.
set -euo pipefail
dir=$1 repository=${REPOSITORY:-$2} commit=${3%%:*} tree=FETCH_HEAD${3#"${3%%:*}"}
shift 3
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git init -q "$clone"
git -C "$clone" fetch -q --depth 1 "$repository" "$commit" || exit 75
mkdir -p "$dir"
git -C "$clone" archive "$tree" "$@" | tar -x -C "$dir"
