import { type Geometry, positionsIn, rowsAround, rowsSeen } from "./geometry.ts";
import { AT_TOP, keepingPlace, revealing, type Scroll, scrolled, showing } from "./scroll.ts";

/** The built rows, and how they scroll. */
export interface Shown {
  readonly first: number;
  readonly end: number;
  /** The distance from a row's top in the content to its top in the spacer. */
  readonly offset: number;
  /** Tiles pass too fast to be seen, so they show colour only, and nothing is fetched. */
  readonly isFast: boolean;
  /** Whether a scroll has not come to rest. */
  readonly isMoving: boolean;
  /** The first visible position, for the ruler. */
  readonly top: number;
  /** -1 while scrolling up, else 1: the page to prefetch. */
  readonly direction: 1 | -1;
  readonly isAtTop: boolean;
}

/** A frame that scrolls by more screens than this is too fast to be seen. */
const FAST_SCREENS = 0.9;
const REST_MS = 110;

/** Tracks the scrolling of one element. It notifies listeners only when `Shown` changes. */
export class GridWindow {
  #scroll: Scroll = AT_TOP;
  #geometry: Geometry;
  #shown: Shown;
  #isHeld = false;
  /** Whether rows beyond the visible ones are built. They are built after the visible rows are shown, or when the user scrolls. */
  #isAhead = false;
  /** Undefined at rest. */
  #rest: ReturnType<typeof setTimeout> | undefined;
  #frameAt = 0;
  #frameTop = 0;
  readonly #listeners = new Set<() => void>();
  readonly #moveBar: (scrollTop: number) => void;

  /** @param moveBar sets the element's scrollTop */
  constructor(geometry: Geometry, moveBar: (scrollTop: number) => void) {
    this.#geometry = geometry;
    this.#moveBar = moveBar;
    this.#shown = this.#look(false, 1);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  get = (): Shown => this.#shown;
  get scroll(): Scroll {
    return this.#scroll;
  }

  /** The layout has changed. @param isSameView whether the files at the top stay there */
  resize(geometry: Geometry, isSameView: boolean): void {
    const old = this.#geometry;
    if (old === geometry) return;
    this.#geometry = geometry;
    const isKept =
      isSameView && old.total > 0 && (old.columns !== geometry.columns || old.rowHeight !== geometry.rowHeight);
    this.#show(
      isKept ? keepingPlace(this.#scroll, old, geometry) : showing(isSameView ? this.#scroll.contentTop : 0, geometry),
    );
  }

  /** The visible rows are shown: builds rows beyond them. */
  buildAhead(): void {
    this.#isAhead = true;
    this.#tell(this.#shown.isFast);
  }

  /** The browser has scrolled. @param now milliseconds */
  scrolled(scrollTop: number, now: number): void {
    if (Math.abs(scrollTop - this.#scroll.scrollTop) < 0.5) return;
    const before = this.#scroll.contentTop;
    this.#scroll = scrolled(this.#scroll, scrollTop, this.#geometry);
    this.#moved(before, now);
  }

  /** Scrolls to a position of the content, for the ruler and keys. */
  showAt(contentTop: number, now = performance.now()): void {
    const before = this.#scroll.contentTop;
    this.#scroll = showing(contentTop, this.#geometry);
    this.#moveBar(this.#scroll.scrollTop);
    this.#moved(before, now);
  }

  reveal(row: number): void {
    this.#show(revealing(this.#scroll, row, this.#geometry));
  }

  /** While the ruler is held, tiles show colour only. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#tell(isHeld);
    if (!isHeld) this.#restSoon();
  }

  dispose(): void {
    clearTimeout(this.#rest);
  }

  #show(scroll: Scroll): void {
    if (scroll !== this.#scroll) this.#moveBar(scroll.scrollTop);
    this.#scroll = scroll;
    this.#tell(this.#isHeld);
  }

  #moved(before: number, now: number): void {
    this.#isAhead = true;
    const { contentTop } = this.#scroll;
    // A frame may have several scroll events.
    if (now - this.#frameAt > 12) {
      this.#frameAt = now;
      this.#frameTop = before;
    }
    const passed = Math.abs(contentTop - this.#frameTop);
    this.#restSoon();
    const isFast = this.#isHeld || passed > FAST_SCREENS * this.#geometry.height || this.#shown.isFast;
    this.#tell(isFast, contentTop === before ? undefined : contentTop > before ? 1 : -1);
  }

  #restSoon(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      if (this.#isHeld) return;
      this.#rest = undefined;
      const { contentTop, scrollTop } = this.#scroll;
      this.#scroll = showing(contentTop, this.#geometry);
      if (this.#scroll.scrollTop !== scrollTop) this.#moveBar(this.#scroll.scrollTop);
      this.#tell(false);
    }, REST_MS);
  }

  #look(isFast: boolean, direction: 1 | -1): Shown {
    const { scrollTop, contentTop } = this.#scroll;
    const { first, end } = (this.#isAhead ? rowsAround : rowsSeen)(this.#geometry, contentTop);
    const top = positionsIn(this.#geometry, contentTop).start;
    const isAtTop = contentTop < this.#geometry.height / 2;
    return {
      first,
      end,
      offset: scrollTop - contentTop,
      isFast,
      isMoving: this.#rest !== undefined,
      top,
      direction,
      isAtTop,
    };
  }

  #tell(isFast: boolean, direction: 1 | -1 = this.#shown.direction): void {
    const now = this.#look(isFast, direction);
    const old = this.#shown;
    if (Object.entries(now).every(([name, value]) => old[name as keyof Shown] === value)) return;
    this.#shown = now;
    for (const listener of this.#listeners) listener();
  }
}
