"""`python -m chunkbench_tui` is `chunkbench-tui`."""

from chunkbench_tui.cli import main

main()
