import { findFate } from "./find-fate.ts";
import type { Gallery } from "./gallery.ts";
import { make, makeIcon, makeIconButton } from "./make.ts";
import { isVideo, readTile, type SharedFile, shotOf } from "./shared-file.ts";
import { type Shown, showOther, showPicture, showVideo } from "./stage.ts";

/** A file that is passed sooner is not loaded: it was not opened, so it does not count as a view. */
const REST_MS = 250;
/** Files before and after the shown one whose previews are loaded, which does not count as a view. */
const NEAR = 2;
/** Tiles on each side in the strip. */
const STRIP = 6;
/** The next tiles are added before a visitor has stepped to the last one. */
const AHEAD = 10;

/** The file over the grid, in the history of the browser: Back closes it, and its address opens it again. */
export class Viewer {
  readonly #gallery: Gallery;
  readonly #title = document.title;
  readonly #name = make("h2", { dir: "auto", class: "viewer-name" });
  readonly #position = make("span", { class: "viewer-position" });
  readonly #said = make("p", { class: "hidden-text", role: "status" });
  readonly #frame = make("div", { class: "frame" });
  readonly #stage = make("div", { class: "stage", tabindex: "-1" });
  readonly #strip = make("nav", { class: "strip", "aria-label": "Nearby files" });
  readonly #save = make("a", { class: "tool", download: "", "aria-label": "Download", title: "Download" });
  readonly #zoom = makeIconButton("Zoom", makeIcon("zoom"), () => this.#shown?.zoom());
  readonly #previous = makeIconButton("Previous file", makeIcon("previous"), () => this.#press(-1), "step previous");
  readonly #next = makeIconButton("Next file", makeIcon("next"), () => this.#press(1), "step next");
  readonly #dialog: HTMLDialogElement;
  readonly #swipes = { onSwipe: (by: 1 | -1) => void this.#step(by), onSwipeDown: () => this.close() };
  #index = -1;
  #shown: Shown | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #openedAt = Number.NEGATIVE_INFINITY;

  constructor(gallery: Gallery) {
    this.#gallery = gallery;
    const close = makeIconButton("Close", makeIcon("close"), () => this.close());
    const copy = makeIconButton("Copy link", makeIcon("link"), () => void this.#copy());
    this.#save.append(makeIcon("download"));
    const tools = make("div", { class: "viewer-tools" }, this.#zoom, copy, this.#save);
    const bar = make("div", { class: "viewer-bar" }, close, this.#name, this.#position, tools);
    this.#stage.append(bar, this.#frame, this.#previous, this.#next, this.#strip, this.#said);
    this.#dialog = make("dialog", { class: "viewer" }, this.#stage);
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("keydown", (event) => this.#onKey(event));
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
    // A browser may close a dialog itself. The history follows. The event is late if Back and Forward follow each other at once: the dialog
    // is then open again.
    this.#dialog.addEventListener("close", () => !this.#dialog.open && this.#index >= 0 && this.close());
    addEventListener("popstate", () => this.follow());
    gallery.addEventListener("change", () => this.#index >= 0 && this.#drawPlace());
  }

  /** Opens a tile's file. Back closes it. */
  open(index: number): void {
    const tile = this.#gallery.tiles[index];
    if (tile === undefined) return;
    history.pushState({ isFile: true }, "", this.#addressOf(tile));
    this.#show(index, true);
  }

  /** Shows the file that the address names, or the grid. */
  follow(): void {
    const index = location.hash === "" ? -1 : this.#gallery.indexOf(decodeURIComponent(location.hash.slice(1)));
    if (index >= 0) this.#show(index, true);
    else this.hide();
  }

  close(): void {
    // The entry before is the grid, if this page made the entry of the file.
    if (history.state?.isFile === true) history.back();
    else {
      history.replaceState(null, "", location.pathname + location.search);
      this.hide();
    }
  }

  hide(): void {
    const tile = this.#gallery.tiles[this.#index];
    this.#index = -1;
    this.#end();
    document.title = this.#title;
    document.documentElement.classList.remove("is-viewing");
    if (!this.#dialog.open) return;
    this.#dialog.close();
    const shot = tile && shotOf(tile);
    shot?.scrollIntoView({ block: "nearest" });
    shot?.focus({ preventScroll: true });
  }

  #addressOf(tile: HTMLLIElement): string {
    return `${this.#gallery.addressOf(tile)}#${tile.id}`;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#shown?.end();
    this.#shown = undefined;
    this.#frame.replaceChildren();
  }

  #show(index: number, isOpened: boolean): void {
    const [tile, file] = [this.#gallery.tiles[index], this.#gallery.fileAt(index)];
    if (tile === undefined || file === undefined) return;
    this.#end();
    this.#index = index;
    const isPassing = performance.now() - this.#openedAt < REST_MS;
    this.#openedAt = performance.now();
    this.#name.textContent = file.name;
    this.#name.title = file.name;
    this.#dialog.setAttribute("aria-label", file.name);
    document.title = `${file.name} · ${this.#title}`;
    this.#zoom.hidden = isVideo(file);
    this.#save.hidden = file.downloadUrl === undefined;
    this.#save.href = file.downloadUrl ?? "";
    this.#drawPlace();
    if (!this.#dialog.open) {
      document.documentElement.classList.add("is-viewing");
      this.#dialog.showModal();
      this.#stage.focus();
    }
    this.#draw(tile, file);
    const load = () => void this.#load(tile, isOpened && isVideo(file));
    if (isPassing) this.#timer = setTimeout(load, REST_MS);
    else load();
    this.#preloadAround(index);
  }

  #draw(tile: HTMLLIElement, file: SharedFile): void {
    const show = isVideo(file) ? showVideo : showPicture;
    this.#frame.setAttribute("aria-busy", "true");
    this.#shown = show(this.#frame, file, {
      ...this.#swipes,
      onLoad: () => this.#frame.removeAttribute("aria-busy"),
      onFail: () => void this.#explain(tile),
    });
  }

  /** Loads a file. A link that ends soon is replaced first. Otherwise the page is fetched meanwhile, to learn whether the share is still open. */
  async #load(tile: HTMLLIElement, isPlaying: boolean): Promise<void> {
    const shown = this.#shown;
    const isStale = this.#gallery.isStale(tile);
    const { isEnding } = this.#gallery.linkOf(tile);
    const renewal = isStale ? this.#gallery.renew(tile) : undefined;
    if (isEnding) await renewal;
    if (shown !== this.#shown) return;
    shown?.load(this.#gallery.linkOf(tile).url);
    if (isPlaying) shown?.togglePlay();
    if ((await renewal) === "gone" && shown === this.#shown) this.#say(tile, "gone");
  }

  /** Says why a file was not loaded, unless a new link opens it. */
  async #explain(tile: HTMLLIElement): Promise<void> {
    const shown = this.#shown;
    const fate = await findFate(this.#gallery, tile);
    if (shown !== this.#shown) return;
    if (fate === "renewed") shown?.load(this.#gallery.linkOf(tile).url);
    else this.#say(tile, fate);
  }

  #say(tile: HTMLLIElement, fate: keyof typeof TEXTS): void {
    this.#end();
    this.#frame.removeAttribute("aria-busy");
    const { downloadUrl } = readTile(tile);
    const retry = make("button", { type: "button", class: "viewer-button" }, "Try again");
    retry.addEventListener("click", () => {
      this.#stage.focus();
      this.#show(this.#index, false);
    });
    const problem = make("div", { class: "problem" }, makeIcon("missing"), make("p", {}, TEXTS[fate]));
    if (fate === "failed" || fate === "busy") problem.append(retry);
    if (fate === "unreadable" && downloadUrl !== undefined)
      problem.append(make("a", { class: "viewer-button", href: downloadUrl, download: "" }, "Download"));
    if (fate === "gone") tile.classList.add("is-gone");
    this.#shown = showOther(this.#frame, problem, this.#swipes);
    this.#said.textContent = TEXTS[fate];
  }

  /** The place in the share, and the files around it. */
  #drawPlace(): void {
    const { tiles, total, isFromStart, hasMore } = this.#gallery;
    const index = this.#index;
    const place = isFromStart ? `${(index + 1).toLocaleString("en")} of ${total.toLocaleString("en")}` : "";
    this.#position.textContent = place;
    this.#said.textContent = `${this.#name.textContent}${place && `, ${place}`}`;
    this.#previous.disabled = index === 0;
    this.#next.disabled = index === tiles.length - 1 && !hasMore;
    const first = Math.max(0, index - STRIP);
    this.#strip.replaceChildren(
      ...tiles.slice(first, index + STRIP + 1).map((_, at) => this.#makeStripTile(first + at)),
    );
    this.#strip.hidden = tiles.length === 1;
    if (hasMore && index >= tiles.length - AHEAD) void this.#gallery.more();
  }

  #makeStripTile(index: number): HTMLButtonElement {
    const file = this.#gallery.fileAt(index);
    const isCurrent = index === this.#index;
    const button = make("button", {
      type: "button",
      "aria-label": file?.name,
      "aria-current": isCurrent ? "true" : undefined,
    });
    if (file?.previewUrl !== undefined) button.append(make("img", { loading: "lazy", src: file.previewUrl, alt: "" }));
    button.addEventListener("click", () => {
      this.#stage.focus();
      this.#goTo(index);
    });
    return button;
  }

  #preloadAround(index: number): void {
    for (const near of this.#gallery.tiles.slice(Math.max(0, index - NEAR), index + NEAR + 1))
      near.querySelector("img")?.setAttribute("loading", "eager");
  }

  #goTo(index: number): void {
    const tile = this.#gallery.tiles[index];
    if (tile === undefined || index === this.#index) return;
    history.replaceState(history.state, "", this.#addressOf(tile));
    this.#show(index, false);
  }

  async #step(by: 1 | -1): Promise<void> {
    const from = this.#index;
    if (by === 1 && from === this.#gallery.tiles.length - 1 && this.#gallery.hasMore) {
      await this.#gallery.more();
      if (this.#index !== from) return;
    }
    this.#goTo(from + by);
  }

  /** A button that becomes disabled at either end would lose the focus, and keys would go to the page. */
  #press(by: 1 | -1): void {
    void this.#step(by).then(() => {
      if (document.activeElement === document.body) this.#stage.focus();
    });
  }

  async #copy(): Promise<void> {
    const isCopied = await navigator.clipboard.writeText(location.href).then(
      () => true,
      () => false,
    );
    this.#said.textContent = isCopied ? "Link copied" : "The link could not be copied";
    this.#position.textContent = this.#said.textContent;
    setTimeout(() => this.#index >= 0 && this.#drawPlace(), 2000);
  }

  #onKey(event: KeyboardEvent): void {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey || !(target instanceof Element)) return;
    if (key === "Tab") this.#keepFocus(event);
    // A player's own keys seek.
    if (key === "Tab" || target.matches("video")) return;
    const act: Partial<Record<string, () => void>> = {
      ArrowLeft: () => void this.#step(-1),
      ArrowRight: () => void this.#step(1),
      Home: () => this.#goTo(0),
      End: () => this.#goTo(this.#gallery.tiles.length - 1),
      z: () => this.#shown?.zoom(),
    };
    if (!target.matches("button, a")) act[" "] = () => this.#shown?.togglePlay();
    const run = act[key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  }

  /** Tab goes round within the dialog. */
  #keepFocus(event: KeyboardEvent): void {
    const stops = [...this.#dialog.querySelectorAll<HTMLElement>("button:enabled, a[href], video")].filter((each) =>
      each.checkVisibility(),
    );
    const [first, last] = [stops[0], stops.at(-1)];
    const from = event.shiftKey ? [first, this.#stage] : [last];
    if (!from.includes(document.activeElement as HTMLElement)) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  }
}

const TEXTS = {
  gone: "This file is not shared any more. Its owner may have deleted it.",
  refused: "The owner does not allow this file to be shown here.",
  unreadable: "Your browser can't show this file.",
  busy: "Too many files were opened. Wait a minute and try again.",
  failed: "This file could not be loaded. Check your connection.",
  over: "This page has ended.",
} as const;
