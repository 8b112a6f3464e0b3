"""Several numbers of an array written at once, which the compiler does not find out by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

BYTE = ir.IntType(8)


def typed_store(_: Any, array: Any, offset: Any, word: Any) -> Any:
    """The types of a store, and what makes its code."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        target = context.make_array(signature.args[0])(context, builder, values[0])
        place = builder.gep(builder.bitcast(target.data, BYTE.as_pointer()), [values[1]])
        store = builder.store(values[2], builder.bitcast(place, values[2].type.as_pointer()))
        store.align = 1  # rows begin anywhere
        return context.get_dummy_value()

    return types.void(array, offset, word), generate


#: Write a word into an array, so many bytes from its beginning.
store_word = cast("Callable[[object, object, object], None]", intrinsic(typed_store))
