#!/bin/sh
# Make the locks again from pyproject.toml: one for running, one for testing, both for every platform.
# Needs uv (pip install uv). The locks carry hashes and no registry address.
set -eu
cd "$(dirname "$0")/.."
uv="uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links --quiet"
$uv --extra report --extra history --extra live --extra server -o locks/run.txt
$uv --all-extras --group test -o locks/test.txt
