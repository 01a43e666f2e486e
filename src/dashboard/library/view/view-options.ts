/** The view's options: the search parameters `view` and `tile`. The last values are this browser's defaults. */
export interface ViewOptions {
  readonly mode: "grid" | "table";
  /** The preferred width of a tile, in pixels. */
  readonly tile: number;
}

export const TILE = { min: 96, max: 260, usual: 148 } as const;

const USUAL: ViewOptions = { mode: "grid", tile: TILE.usual };

/** @param usual the values for absent parameters */
export function parseView(search: string, usual: ViewOptions = USUAL): ViewOptions {
  const given = new URLSearchParams(search);
  const mode = given.get("view");
  const tile = given.get("tile") ?? "";
  return {
    mode: mode === "grid" || mode === "table" ? mode : usual.mode,
    tile: /^[0-9]{1,4}$/.test(tile) ? clampTile(Number(tile)) : usual.tile,
  };
}

/** Adds the view's options to an address of filters, without defaults. */
export function withView(search: string, view: ViewOptions, usual: ViewOptions = USUAL): string {
  const written = new URLSearchParams(search);
  written.delete("view");
  written.delete("tile");
  if (view.mode !== usual.mode) written.set("view", view.mode);
  if (view.tile !== usual.tile) written.set("tile", String(clampTile(view.tile)));
  return written.size === 0 ? "" : `?${written}`;
}

/** Reads the stored defaults; invalid values are ignored. */
export function readUsualView(kept: string | null): ViewOptions {
  const [mode, tile] = (kept ?? "").split(" ");
  return parseView(`view=${mode}&tile=${tile}`);
}

export function writeUsualView({ mode, tile }: ViewOptions): string {
  return `${mode} ${tile}`;
}

function clampTile(tile: number): number {
  return Math.min(TILE.max, Math.max(TILE.min, Math.round(tile)));
}
