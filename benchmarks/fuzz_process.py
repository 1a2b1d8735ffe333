"""One process of `benchmarks.fuzz_folder`: heedful is imported here, so that its coverage can be followed."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

INSTRUMENTED = ["heedful.store", "heedful.config", "heedful.data", "heedful.runtime", "heedful.errors"]

if __name__ == "__main__":
    with atheris.instrument_imports(include=INSTRUMENTED):
        from benchmarks.fuzz_folder import target_in
    home, seconds, seed = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    flags = [f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-max_len=400", f"-seed={seed}"]
    flags += [f"-artifact_prefix={home}/found/", "-print_final_stats=1", str(home / "corpus")]
    atheris.Setup([sys.argv[0], *flags], target_in(home))
    atheris.Fuzz()
