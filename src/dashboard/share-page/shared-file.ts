/** A file of the page, read from its tile (src/api/share-page/share-html.ts). */
export interface SharedFile {
  readonly id: string;
  readonly name: string;
  /** The name of the saved file, with the extension of its type. */
  readonly savedName: string | undefined;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** Pixels; 0 if they are unknown. */
  readonly width: number;
  readonly height: number;
  /** Opening it is a view. */
  readonly url: string;
  readonly downloadUrl: string | undefined;
  /** Loading it does not count as a view. */
  readonly previewUrl: string | undefined;
  readonly label: string;
}

export const isVideo = ({ mimeType }: Pick<SharedFile, "mimeType">) => mimeType.startsWith("video/");

/** The files of a page, in their order. */
export function tilesOf(page: ParentNode): HTMLLIElement[] {
  return [...page.querySelectorAll<HTMLLIElement>(".grid > .tile")];
}

export function shotOf(tile: Element): HTMLAnchorElement | null {
  return tile.querySelector<HTMLAnchorElement>("a.shot");
}

/** Reads a tile again, because its addresses change when they are renewed. */
export function readTile(tile: HTMLLIElement): SharedFile {
  const { type = "", width, height, bytes } = tile.dataset;
  const [save, picture] = [tile.querySelector<HTMLAnchorElement>("a.save"), tile.querySelector("img")];
  const name = tile.querySelector(".name")?.textContent ?? "";
  return {
    id: tile.id,
    name,
    savedName: save?.download || undefined,
    mimeType: type,
    sizeBytes: Number(bytes),
    width: Number(width),
    height: Number(height),
    url: shotOf(tile)?.href ?? "",
    downloadUrl: save?.href,
    previewUrl: picture?.src,
    label: picture?.alt || name,
  };
}

/** The address of the page that follows; undefined on the last one. */
export function nextPageOf(page: ParentNode): string | undefined {
  return page.querySelector<HTMLAnchorElement>(".pages a[rel=next]")?.href;
}

/** The last seconds before an address ends are too few to load a file. */
const LEAST_MS = 60_000;
const END = /[?&](?:exp=|preview=)(\d+)/;

/** Whether a signed address has ended or ends soon. */
export function isEnding(address: string): boolean {
  const end = END.exec(address)?.[1];
  return end !== undefined && Number(end) * 1000 - Date.now() < LEAST_MS;
}
