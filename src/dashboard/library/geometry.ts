/**
 * Where everything stands: a formula of the number of items and the width, never an estimate, so that nothing jumps. All lengths are CSS pixels.
 */

/** Browsers cannot show an element much higher than this (immich 16788, 20772). */
export const MAX_SPACER = 12_000_000;
const GAP = 14;
const PHONE_GAP = 3;
const CAPTION = 40;
/** Tiles that are narrower have no room for a caption. */
const CAPTION_FROM = 130;
const TABLE_ROW = 44;
/** Of the ruler, where it stands beside the rows (ruler.module.css). */
const RULER = 92;

export interface Place {
  /** Of the rows, and of the ruler beside them if there is one. */
  readonly width: number;
  /** Of what is seen at a time. */
  readonly height: number;
  readonly mode: "grid" | "table";
  readonly tile: number;
  readonly isPhone: boolean;
  /** Whether a ruler lies over the rows, and takes no room. */
  readonly isRulerOver: boolean;
  /** Undefined before it is known. */
  readonly total: number | undefined;
}

export interface Geometry {
  /** Whether there is more than is seen at a time. */
  readonly hasRuler: boolean;
  readonly columns: number;
  /** The side of a tile's square; in a table the row's width. */
  readonly tile: number;
  readonly gap: number;
  readonly captioned: boolean;
  /** From one row's top to the next one's. */
  readonly rowHeight: number;
  readonly rows: number;
  readonly total: number;
  readonly height: number;
  /** Above the first row and below the last one. */
  readonly before: number;
  readonly contentHeight: number;
  /** What the browser's element is high. */
  readonly spacerHeight: number;
}

/** @returns the geometry of a view; its rows fill the width but for a pixel a column */
export function layOut(place: Place): Geometry {
  const whole = layRows(place, place.width);
  // Where the number is not known yet there will be a ruler, mostly: what is built with one is not to move when it comes. With one
  // less may fit into a row, or more: only the whole width says whether there is one, or it would come and go for ever.
  const hasRuler = place.total === undefined || whole.contentHeight > place.height;
  if (!hasRuler || place.isRulerOver) return { ...whole, hasRuler };
  return { ...layRows(place, Math.max(0, place.width - RULER)), hasRuler };
}

function layRows(place: Place, width: number): Omit<Geometry, "hasRuler"> {
  const { height, mode, tile, isPhone, total = 0 } = place;
  const isTable = mode === "table";
  const gap = isTable ? 0 : isPhone ? PHONE_GAP : GAP;
  const wanted = isTable ? 1 : isPhone ? phoneColumns(tile) : Math.round((width + gap) / (tile + gap));
  const columns = Math.max(1, wanted);
  // Whole pixels, so that pictures are sharp.
  const side = Math.max(1, Math.floor((width - gap * (columns - 1)) / columns));
  const captioned = !isTable && !isPhone && side >= CAPTION_FROM;
  const rowHeight = isTable ? TABLE_ROW : side + gap + (captioned ? CAPTION : 0);
  const rows = Math.ceil(total / columns);
  const before = isPhone || isTable ? 0 : 16;
  // Room for the bar of the selection below the last row.
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

/** Three on a phone, one more or less by the slider. */
function phoneColumns(tile: number): number {
  if (tile < 120) return 4;
  return tile > 200 ? 2 : 3;
}

/** @returns the top of a row in the content */
export function rowTop({ before, rowHeight }: Geometry, row: number): number {
  return before + row * rowHeight;
}

export interface RowWindow {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
}

/** The rows to build beyond each end of what is seen: half a screen. */
function rowsBeyond({ rowHeight, height }: Geometry): number {
  return Math.ceil(height / 2 / rowHeight);
}

/** How many rows are built wherever the window stands, but at the content's ends. */
export function windowRows(geometry: Geometry): number {
  return Math.ceil(geometry.height / geometry.rowHeight) + 1 + 2 * rowsBeyond(geometry);
}

/** The rows of which something is seen. */
export function rowsSeen({ rowHeight, before, rows, height }: Geometry, contentTop: number): RowWindow {
  const first = Math.floor((contentTop - before) / rowHeight);
  const end = Math.ceil((contentTop + height - before) / rowHeight);
  return { first: Math.min(rows, Math.max(0, first)), end: Math.max(0, Math.min(rows, end)) };
}

/** The rows to build for a part of the content. They change with the first that is seen, and with nothing else. */
export function rowsAround(geometry: Geometry, contentTop: number): RowWindow {
  const { rowHeight, before, rows } = geometry;
  const first = Math.floor((contentTop - before) / rowHeight) - rowsBeyond(geometry);
  const end = first + windowRows(geometry);
  return { first: Math.min(rows, Math.max(0, first)), end: Math.max(0, Math.min(rows, end)) };
}

/** @returns the position of the first item whose row is seen, and that behind the last one's */
export function positionsIn(geometry: Geometry, contentTop: number): { readonly start: number; readonly end: number } {
  const { first, end } = rowsSeen(geometry, contentTop);
  return { start: first * geometry.columns, end: Math.min(geometry.total, end * geometry.columns) };
}
