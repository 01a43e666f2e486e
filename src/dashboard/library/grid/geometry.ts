/** Computes the layout from the number of items and the width. Nothing is estimated, so nothing jumps. All lengths are CSS pixels. */

/** Browsers cannot show an element much higher than this (immich 16788, 20772). */
export const MAX_SPACER = 12_000_000;
const GAP = 14;
const PHONE_GAP = 3;
const CAPTION = 40;
/** Narrower tiles have no room for a caption. */
const CAPTION_FROM = 130;
const TABLE_ROW = 44;
/** The width of the ruler beside the rows (ruler.module.css). */
const RULER = 92;

export interface GridSpace {
  /** The rows, and the ruler beside them if there is one. */
  readonly width: number;
  /** The visible height. */
  readonly height: number;
  readonly mode: "grid" | "table";
  readonly tile: number;
  readonly isPhone: boolean;
  /** Whether the ruler overlays the rows and takes no width. */
  readonly isRulerOver: boolean;
  /** Undefined before the first answer. */
  readonly total: number | undefined;
}

export interface Geometry {
  /** Whether the content is taller than the visible height. */
  readonly hasRuler: boolean;
  readonly columns: number;
  /** The side of a tile's square; the row's width in a table. */
  readonly tile: number;
  readonly gap: number;
  readonly captioned: boolean;
  /** The distance between the tops of two rows. */
  readonly rowHeight: number;
  readonly rows: number;
  readonly total: number;
  readonly height: number;
  /** The space above the first row. */
  readonly before: number;
  readonly contentHeight: number;
  /** The height of the browser's element. */
  readonly spacerHeight: number;
}

/** @returns the layout of a view; rows fill the width to within one pixel a column */
export function layOut(place: GridSpace): Geometry {
  const whole = layRows(place, place.width);
  // If the number of files is unknown, a ruler is assumed, because most views need one and rows that leave space for it do not move when it
  // appears. The ruler's width changes the number of columns. So the whole width decides whether the ruler is shown; otherwise it could
  // appear and disappear endlessly.
  const hasRuler = place.total === undefined || whole.contentHeight > place.height;
  if (!hasRuler || place.isRulerOver) return { ...whole, hasRuler };
  return { ...layRows(place, Math.max(0, place.width - RULER)), hasRuler };
}

function layRows(place: GridSpace, width: number): Omit<Geometry, "hasRuler"> {
  const { height, mode, tile, isPhone, total = 0 } = place;
  const isTable = mode === "table";
  const gap = isTable ? 0 : isPhone ? PHONE_GAP : GAP;
  const wanted = isTable ? 1 : isPhone ? phoneColumns(tile) : Math.round((width + gap) / (tile + gap));
  const columns = Math.max(1, wanted);
  // Lengths are whole pixels, which keep pictures sharp.
  const side = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  const captioned = !isTable && !isPhone && side >= CAPTION_FROM;
  const rowHeight = isTable ? TABLE_ROW : side + gap + (captioned ? CAPTION : 0);
  const rows = Math.ceil(total / columns);
  const before = isPhone || isTable ? 0 : 16;
  // The length includes space for the selection bar after the last row.
  const contentHeight = before + rows * rowHeight + 88;
  return {
    columns,
    tile: side,
    gap,
    captioned,
    rowHeight,
    rows,
    total,
    height,
    before,
    contentHeight,
    spacerHeight: Math.min(contentHeight, MAX_SPACER),
  };
}

/** Three columns on a phone; the slider makes it two or four. */
function phoneColumns(tile: number): number {
  if (tile < 120) return 4;
  return tile > 200 ? 2 : 3;
}

export function rowTop({ before, rowHeight }: Geometry, row: number): number {
  return before + row * rowHeight;
}

export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** The number of rows to build beyond each end of the visible rows: half a screen. */
function rowsBeyond({ rowHeight, height }: Geometry): number {
  return Math.ceil(height / 2 / rowHeight);
}

/** The number of built rows, except near the content's ends. */
export function windowRows(geometry: Geometry): number {
  return Math.ceil(geometry.height / geometry.rowHeight) + 1 + 2 * rowsBeyond(geometry);
}

/** The rows that are at least partly visible. */
export function rowsSeen({ rowHeight, before, rows, height }: Geometry, contentTop: number): RowWindow {
  const first = Math.floor((contentTop - before) / rowHeight);
  const end = Math.ceil((contentTop + height - before) / rowHeight);
  return { first: Math.min(rows, Math.max(0, first)), end: Math.max(0, Math.min(rows, end)) };
}

/** The rows to build at a scroll position. They change only with the first visible row. */
export function rowsAround(geometry: Geometry, contentTop: number): RowWindow {
  const { rowHeight, before, rows } = geometry;
  const first = Math.floor((contentTop - before) / rowHeight) - rowsBeyond(geometry);
  const end = first + windowRows(geometry);
  return { first: Math.min(rows, Math.max(0, first)), end: Math.max(0, Math.min(rows, end)) };
}

/** @returns the positions of the visible rows; `end` is exclusive */
export function positionsIn(geometry: Geometry, contentTop: number): { readonly start: number; readonly end: number } {
  const { first, end } = rowsSeen(geometry, contentTop);
  return { start: first * geometry.columns, end: Math.min(geometry.total, end * geometry.columns) };
}
