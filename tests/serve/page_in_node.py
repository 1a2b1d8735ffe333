"""Scripts of the page run in Node, with as much of a document as they need."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

UI = Path(__file__).parents[2] / "src" / "heedful" / "serve" / "ui"
DOCUMENT = """
class Node {
  constructor(tag) { this.tag = tag; this.children = []; this.attributes = {}; this.dataset = {}; }
  append(...more) {
    for (const each of more) this.children.push(...(each instanceof Node && each.tag === "" ? each.children : [each]));
  }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener() {}
}
globalThis.Node = Node;
globalThis.document = { createElement: (tag) => new Node(tag), createDocumentFragment: () => new Node("") };
const named = ({ tag, attributes }) => (attributes.href ? `${tag} ${attributes.href}` : tag);
const plain = (each) => (each instanceof Node ? [named(each), ...each.children.map(plain)] : each);
"""


def in_node(script: str, given: Any, *, seconds: float = 120) -> Any:
    """Return what `main(given)` gives, in a script that may import from UI."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    whole = (
        f"{DOCUMENT}\nconst UI = {json.dumps(UI.as_uri())};\n{script}\n"
        "let text = ''; for await (const part of process.stdin) text += part;\n"
        "console.log(JSON.stringify(await main(JSON.parse(text))));"
    )
    command = [node, "--input-type=module", "-e", whole]
    found = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, timeout=seconds, check=False
    )
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)
