"""Solve thousands of matrix games at once with NumPy, using the algorithms of `matrix_games`."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from number_duels.solvers.matrix_games import (
    CERTIFIED_GAP,
    EPSILON,
    TIE,
    equilibrium,
    proper_corners,
)

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]


def values(matrices: Floats) -> Floats:
    low = matrices.min(axis=2).max(axis=1)
    high = matrices.max(axis=1).min(axis=1)
    found: Floats = (low + high) / 2
    mixed = np.flatnonzero(high - low > EPSILON)
    if mixed.size:
        without_saddle = matrices[mixed]
        low, high = guarantees(without_saddle, *certified(without_saddle))
        found[mixed] = (low + high) / 2
    return found


def certified(matrices: Floats) -> tuple[Floats, Floats]:
    rows, columns = simplex(matrices)
    low, high = guarantees(matrices, rows, columns)
    for doubtful in np.flatnonzero(~(high - low <= CERTIFIED_GAP)):
        found = equilibrium(matrices[doubtful].tolist())
        rows[doubtful], columns[doubtful] = found.rows, found.columns
    return rows, columns


def guarantees(matrices: Floats, rows: Floats, columns: Floats) -> tuple[Floats, Floats]:
    low: Floats = np.einsum("ni,nij->nj", rows, matrices).min(axis=1)
    high: Floats = np.einsum("nij,nj->ni", matrices, columns).max(axis=1)
    return low, high


def simplex(matrices: Floats) -> tuple[Floats, Floats]:
    count, height, width = matrices.shape
    tableaus = lay_out(matrices)
    labels = np.tile(np.arange(height + width), (count, 1))
    rows, columns = np.zeros((count, height)), np.zeros((count, width))
    left = np.arange(count)
    for step in range(100 * (height + width)):
        column = entering(tableaus, labels, careful=step > 5 * (height + width))
        finished = column < 0
        if finished.any():
            done = np.flatnonzero(finished)
            read_off(tableaus[done], labels[done], rows, columns, left[done])
            going = np.flatnonzero(~finished)
            tableaus, labels, left = tableaus[going], labels[going], left[going]
            column = column[going]
        if not left.size:
            break
        pivot(tableaus, labels, leaving(tableaus, labels, column), column)
    return rows, columns


def lay_out(matrices: Floats) -> Floats:
    count, height, width = matrices.shape
    low = matrices.min(axis=(1, 2), keepdims=True)
    span = matrices.max(axis=(1, 2), keepdims=True) - low
    tableaus = np.ones((count, height + 1, width + 1))
    tableaus[:, :height, :width] += (matrices - low) / span
    tableaus[:, height, :width] = -1.0
    tableaus[:, height, width] = 0.0
    return tableaus


def entering(tableaus: Floats, labels: Places, *, careful: bool) -> Places:
    costs = tableaus[:, -1, :-1]
    width = costs.shape[1]
    if careful:
        order = np.where(costs < -EPSILON, labels[:, :width], labels.shape[1])
        column = order.argmin(axis=1)
    else:
        column = costs.argmin(axis=1)
    improves = costs[np.arange(len(costs)), column] < -EPSILON
    return np.where(improves, column, -1)


def leaving(tableaus: Floats, labels: Places, column: Places) -> Places:
    height = tableaus.shape[1] - 1
    share = tableaus[np.arange(len(tableaus)), :height, column]
    left = tableaus[:, :height, -1]
    ratio = np.divide(left, share, out=np.full_like(left, np.inf), where=share > EPSILON)
    first = ratio == ratio.min(axis=1, keepdims=True)
    lowest: Places = np.where(first, labels[:, -height:], labels.shape[1]).argmin(axis=1)
    return lowest


def pivot(tableaus: Floats, labels: Places, row: Places, column: Places) -> None:
    each = np.arange(len(tableaus))
    width = tableaus.shape[2] - 1
    inverse = 1.0 / tableaus[each, row, column]
    source = tableaus[each, row] * inverse[:, None]
    source[each, column] = inverse
    factors = tableaus[each, :, column]
    factors[each, row] = 0.0
    tableaus[each, :, column] = 0.0
    tableaus[each, row] = source
    tableaus -= factors[:, :, None] * source[:, None, :]
    labels[each, column], labels[each, width + row] = (
        labels[each, width + row],
        labels[each, column],
    )


def read_off(
    tableaus: Floats, labels: Places, rows: Floats, columns: Floats, places: Places
) -> None:
    count, width = len(tableaus), columns.shape[1]
    each = np.arange(count)[:, None]
    weights = np.zeros((count, labels.shape[1]))
    # Labels below `width` are columns of the matrix. In the basis, their weight is on the right.
    weights[each, labels[:, :width]] = np.where(
        labels[:, :width] >= width, tableaus[:, -1, :-1], 0.0
    )
    weights[each, labels[:, width:]] = np.where(
        labels[:, width:] < width, tableaus[:, :-1, -1], 0.0
    )
    weights[weights <= EPSILON] = 0.0
    columns[places] = weights[:, :width] / weights[:, :width].sum(axis=1, keepdims=True)
    rows[places] = weights[:, width:] / weights[:, width:].sum(axis=1, keepdims=True)


def proper_strategies(matrices: Floats, gains: Floats) -> Floats:
    """Return the row player's proper mixed strategy for each matrix."""
    firsts, which = distinct(matrices)
    corners = [proper_corners(matrix) for matrix in matrices[firsts].tolist()]
    found: Floats = np.array([several[0] for several in corners])[which]
    members = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[members], np.arange(len(corners) + 1))
    for number, several in enumerate(corners):
        if len(several) > 1:
            own = members[starts[number] : starts[number + 1]]
            options = np.array(several)
            scores = gains[own] @ options.T
            best = scores >= scores.max(axis=1, keepdims=True) - TIE
            found[own] = options[best.argmax(axis=1)]
    return found


def distinct(matrices: Floats) -> tuple[Places, Places]:
    """Group equal matrices. Return index and inverse arrays like those of `numpy.unique`."""
    flat = np.ascontiguousarray(matrices + 0.0).reshape(len(matrices), -1)
    words = flat.view(np.uint64)
    keys = np.random.default_rng(0).integers(1, 1 << 63, flat.shape[1], np.uint64) | np.uint64(1)
    digests = ((words ^ words >> np.uint64(32)) * keys).sum(axis=1, dtype=np.uint64)
    _, firsts, which = np.unique(digests, return_index=True, return_inverse=True)
    if not np.array_equal(flat, flat[firsts[which]]):  # two matrices share a digest
        _, firsts, which = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    return firsts, which.ravel()
