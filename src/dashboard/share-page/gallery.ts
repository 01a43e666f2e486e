import { fetchPage, type PageAnswer } from "./fetch-page.ts";
import { make } from "./make.ts";
import { isEnding, nextPageOf, readTile, type SharedFile, shotOf, tilesOf } from "./shared-file.ts";

export type MoreOutcome =
  | { readonly kind: "added"; readonly tiles: readonly HTMLLIElement[] }
  | { readonly kind: "end" }
  | Exclude<PageAnswer, { readonly kind: "page" }>;

/** The fate of a file whose page was fetched again. */
export type Renewal = "renewed" | "gone" | "over" | "failed";

/** Visitors who open files learn within this time that a share has ended. */
const ASK_AGAIN_MS = 60_000;
/** A file of the first page is on a later one if others were added since. */
const MAX_PAGES = 3;

interface KnownPage {
  /** Its address, which shows the same files from then on. */
  readonly address: string;
  askedAt: number;
  renewing: Promise<PageAnswer> | undefined;
}

/**
 * The tiles of the page and of the pages that follow it. Its events: `change` when tiles were added, `over` when the share has ended (with the
 * server's page about it).
 */
export class Gallery extends EventTarget {
  readonly total: number;
  /** Whether the first tile is the first file of the share. A link may lead to a later page. */
  readonly isFromStart: boolean;
  readonly tiles: HTMLLIElement[];
  readonly #grid: HTMLElement;
  readonly #pageOf = new WeakMap<HTMLLIElement, KnownPage>();
  #next: string | undefined;
  #loading: Promise<MoreOutcome> | undefined;

  constructor(grid: HTMLElement) {
    super();
    this.#grid = grid;
    this.total = Number(grid.dataset.total);
    this.isFromStart = grid.dataset.first === "yes";
    this.tiles = tilesOf(document);
    this.#next = nextPageOf(document);
    this.#know(this.tiles, location.pathname + location.search);
    // A picture that is scrolled to after an hour has a link that has ended.
    grid.addEventListener("error", ({ target }) => void this.#repair(target), { capture: true });
  }

  get hasMore(): boolean {
    return this.#next !== undefined;
  }

  indexOf(id: string): number {
    return this.tiles.findIndex((tile) => tile.id === id);
  }

  fileAt(index: number): SharedFile | undefined {
    const tile = this.tiles[index];
    return tile && readTile(tile);
  }

  /** The address of the page that shows this file. */
  addressOf(tile: HTMLLIElement): string {
    return this.#pageOf.get(tile)?.address ?? location.pathname;
  }

  /** Adds the next page's tiles. Calls at the same time share one request. */
  more(): Promise<MoreOutcome> {
    this.#loading ??= this.#loadMore().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #loadMore(): Promise<MoreOutcome> {
    const address = this.#next;
    if (address === undefined) return { kind: "end" };
    const answer = await fetchPage(address);
    if (answer.kind === "over") this.#end(answer.page);
    if (answer.kind !== "page") return answer;
    this.#next = nextPageOf(answer.page);
    // A file may have moved to this page since the earlier one was loaded.
    const tiles = tilesOf(answer.page).filter(({ id }) => document.getElementById(id) === null);
    for (const tile of tiles) tile.querySelector("img")?.setAttribute("loading", "lazy");
    this.#know(tiles, address);
    this.#grid.append(...tiles);
    this.tiles.push(...tiles);
    this.dispatchEvent(new Event("change"));
    return { kind: "added", tiles };
  }

  linkOf(tile: HTMLLIElement): { readonly url: string; readonly isEnding: boolean } {
    const url = shotOf(tile)?.href ?? "";
    return { url, isEnding: isEnding(url) };
  }

  /** Whether a file's page is to be fetched again: its links end soon, or the last fetch was long ago. */
  isStale(tile: HTMLLIElement): boolean {
    const page = this.#pageOf.get(tile);
    return page === undefined || Date.now() - page.askedAt > ASK_AGAIN_MS || this.linkOf(tile).isEnding;
  }

  /** Fetches a file's page again, and takes the new addresses of all its files. */
  async renew(tile: HTMLLIElement): Promise<Renewal> {
    const known = this.#pageOf.get(tile);
    if (known === undefined) return "failed";
    known.renewing ??= fetchPage(known.address).finally(() => {
      known.renewing = undefined;
      known.askedAt = Date.now();
    });
    let answer = await known.renewing;
    for (let pages = 1; ; pages += 1) {
      if (answer.kind === "over") this.#end(answer.page);
      if (answer.kind !== "page") return answer.kind === "over" ? "over" : "failed";
      this.#update(answer.page);
      if (answer.page.getElementById(tile.id) !== null) return "renewed";
      const next = nextPageOf(answer.page);
      // A page with a cursor begins at the same file for ever.
      if (next === undefined || known.address.includes("?")) return "gone";
      if (pages === MAX_PAGES) return "failed";
      answer = await fetchPage(next);
    }
  }

  #know(tiles: readonly HTMLLIElement[], address: string): void {
    const page = { address, askedAt: Date.now(), renewing: undefined };
    for (const tile of tiles) this.#pageOf.set(tile, page);
  }

  #update(page: Document): void {
    for (const fresh of tilesOf(page)) {
      const tile = document.getElementById(fresh.id);
      if (tile === null) continue;
      for (const place of ["a.shot", "a.save"]) {
        const [old, link] = [tile, fresh].map((each) => each.querySelector<HTMLAnchorElement>(place));
        if (old && link) old.href = link.href;
      }
      const [old, picture] = [tile, fresh].map((each) => each.querySelector("img"));
      if (old && picture && isEnding(old.src)) old.src = picture.src;
    }
  }

  async #repair(picture: EventTarget | null): Promise<void> {
    if (!(picture instanceof HTMLImageElement)) return;
    const tile = picture.closest<HTMLLIElement>(".tile");
    if (tile !== null && isEnding(picture.src)) await this.renew(tile);
    else picture.replaceWith(make("span", { class: "none" }, picture.alt));
  }

  #end(page: Document): void {
    this.dispatchEvent(new CustomEvent("over", { detail: page }));
  }
}
