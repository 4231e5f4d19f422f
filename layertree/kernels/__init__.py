"""Kernels: array functions that NumPy lacks, or that are faster than those of NumPy.

The functions of this module write into an output array ``out`` and allocate nothing of the size of ``out``; a kernel
that needs a workspace takes the workspace as an argument. Compiled programs call the kernels by the names below, so
parameters keep their names. ``gather`` and ``stacks`` return new arrays; the NumPy namespace uses those.

Imports: ``core`` alone. Start with ``select``, the shortest; ``windows`` holds im2col and col2im, on which convolution
and pooling rest.
"""

from __future__ import annotations

from layertree.kernels.indexing import add_at as add_at
from layertree.kernels.indexing import fits_table as fits_table
from layertree.kernels.indexing import pick as pick
from layertree.kernels.indexing import pick_at as pick_at
from layertree.kernels.indexing import places as places
from layertree.kernels.indexing import scatter_add as scatter_add
from layertree.kernels.indexing import take as take
from layertree.kernels.indexing import unpick as unpick
from layertree.kernels.indexing import unpick_at as unpick_at
from layertree.kernels.pooling import max_pool2d as max_pool2d
from layertree.kernels.pooling import max_unpool as max_unpool
from layertree.kernels.pooling import max_unpool2d as max_unpool2d
from layertree.kernels.pooling import unpool_room as unpool_room
from layertree.kernels.random import bernoulli as bernoulli
from layertree.kernels.reduce import accurate_sum as accurate_sum
from layertree.kernels.reduce import max_of_last as max_of_last
from layertree.kernels.reduce import sum_of_last as sum_of_last
from layertree.kernels.reduce import sum_of_rows as sum_of_rows
from layertree.kernels.select import keep as keep
from layertree.kernels.select import masked as masked
from layertree.kernels.select import select as select
from layertree.kernels.windows import fold as fold
from layertree.kernels.windows import fold_room as fold_room
from layertree.kernels.windows import pad as pad
from layertree.kernels.windows import put as put
