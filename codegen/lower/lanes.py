"""Schedules for machines that run workgroups of many lanes, one for each shape of loop nest."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.expr import Expr
from .context import GroupWriter
from .lanes_columns import write_columns_on_lanes
from .lanes_maps import write_map_on_lanes, write_pieces_on_lanes
from .lanes_rows import write_rows_on_lanes
from .lanes_scans import write_scan_columns_on_lanes, write_scan_rows_on_lanes
from .lanes_scatter import write_in_order_on_lanes
from .products import write_product
from .scans import write_scan_serial

ON_LANES: dict[str, Callable[[GroupWriter], Expr]] = {
    "product": write_product,
    "ordered": write_in_order_on_lanes,
    "pieces": write_pieces_on_lanes,
    "map": write_map_on_lanes,
    "columns": write_columns_on_lanes,
    "rows": write_rows_on_lanes,
    "scan columns": write_scan_columns_on_lanes,
    "scan rows": write_scan_rows_on_lanes,
    "scan serially": write_scan_serial,
}
