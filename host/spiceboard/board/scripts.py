"""What the tools send to a board's raw REPL: readable files, made short on the way."""

import ast
import functools
import re
from pathlib import Path

FOLDER = Path(__file__).with_name("on_board")


@functools.cache
def script(name: str) -> str:
    """The code of `on_board/NAME.py` without comments, docstrings and wide indents."""
    tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Module) and ast.get_docstring(node):
            node.body = node.body[1:]
    code = ast.unparse(tree)
    return (
        re.sub(r"^(?: {4})+", lambda indent: " " * (len(indent[0]) // 4), code, flags=re.M) + "\n"
    )
