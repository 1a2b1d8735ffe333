"""RDKit's log is one for all threads: none may lose a message, and none may crash the process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from heedful.inputs.molecule.rdkit_log import quietly

Chem = pytest.importorskip("rdkit.Chem")

IN_THREADS = """
import sys, threading
from heedful.inputs.molecule.featuriser import read_smiles
from heedful.errors import HeedfulError

lost, faults = [], []
sys.setswitchinterval(0.00001)

def read(n):
    for i in range(1200):
        try:
            read_smiles(["CCO", "C1CC", "c1ccccc1O", "C(C)(C)(C)(C)C", "N[", "CC(=O)Oc1ccccc1"][(i + n) % 6])
        except HeedfulError as error:
            (lost if "does not say" in str(error) else faults).append(str(error))

threads = [threading.Thread(target=read, args=(n,)) for n in range(8)]
for each in threads: each.start()
for each in threads: each.join()
print(len(lost), len(faults))
"""


def test_threads_that_read_good_and_bad_molecules_lose_no_message_and_end_well():
    found = subprocess.run([sys.executable, "-c", IN_THREADS], capture_output=True, text=True, timeout=300, check=False)
    assert found.returncode == 0, found.stderr[-500:]
    assert found.stdout.split() == ["0", str(8 * 600)]
    assert found.stderr == ""  # nor does a message get past


def test_what_rdkit_says_is_handed_back():
    found, said = quietly(lambda: Chem.MolFromSmiles("C1CC"))
    assert found is None
    assert "unclosed ring" in said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_while_another_thread_reads_does_not_block_the_child():
    inside, leave = threading.Event(), threading.Event()
    thread = threading.Thread(target=quietly, args=(lambda: (inside.set(), leave.wait(60)),))
    thread.start()
    assert inside.wait(60)
    child = os.fork()
    if not child:
        reader = threading.Thread(target=quietly, args=(lambda: None,), daemon=True)
        reader.start()
        reader.join(30)
        os._exit(int(reader.is_alive()))
    _, status = os.waitpid(child, 0)
    leave.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 0
