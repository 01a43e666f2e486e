import { toHumanSize } from "../../../domain/human-size.ts";
import type { Gallery } from "../gallery.ts";
import { make, makeIcon, makeIconButton } from "../make.ts";
import { openFile } from "./open-file.ts";
import { pickTarget, type SaveTarget } from "./save-targets.ts";
import { renewLink, ShareOverError, type WalkedFile, walkFiles } from "./walk-files.ts";
import { type ZipCounts, ZipParts } from "./zip-parts.ts";

const MAX_NAME_CHARACTERS = 100;
const STOPPED = new DOMException("Stopped by the visitor", "AbortError");

/** "Download all": a zip that the browser makes while the files arrive. */
export function makeZipButton(gallery: Gallery, onOver: (page: Document) => void): HTMLButtonElement {
  const button = make("button", { type: "button", class: "button" }, makeIcon("download"), "Download all");
  button.addEventListener("click", async () => {
    const target = await pickTarget(`${titleOf()}.zip`);
    if (target === undefined) return;
    button.disabled = true;
    await new ZipRun(gallery.total, target, onOver).run();
    button.disabled = false;
    if (document.activeElement === document.body) button.focus();
  });
  return button;
}

/** The share's title, as a name that every system allows. */
function titleOf(): string {
  const title = document.querySelector("h1")?.textContent?.trim() ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no system allows them in names.
  const name = title.replace(/[\\/:*?"<>|\u0000-\u001f]/g, "_").replace(/^\.+/, "");
  return Array.from(name).slice(0, MAX_NAME_CHARACTERS).join("").trim() || "Shared files";
}

/** A zip in the making, with its panel at the bottom of the page. */
class ZipRun {
  readonly #total: number;
  readonly #target: SaveTarget;
  readonly #onOver: (page: Document) => void;
  readonly #abort = new AbortController();
  readonly #text = make("p", { class: "zip-text" });
  readonly #said = make("p", { class: "zip-said", role: "status" });
  readonly #bar = make("progress", { "aria-label": "Files saved" });
  readonly #panel: HTMLElement;
  readonly #parts: ZipParts<WalkedFile>;
  #part = 0;

  constructor(total: number, target: SaveTarget, onOver: (page: Document) => void) {
    this.#total = total;
    this.#target = target;
    this.#onOver = onOver;
    const { signal } = this.#abort;
    this.#parts = new ZipParts(
      {
        files: walkFiles(location.pathname, signal),
        open: (file) => openFile(file.url, { signal, renew: () => renewLink(file, signal) }),
        onProgress: () => this.#draw(),
      },
      target.maxBytes,
    );
    this.#bar.max = Math.max(1, total);
    const stop = makeIconButton("Stop the download", makeIcon("close"), () => this.#abort.abort(STOPPED));
    const facts = make("div", { class: "zip-facts" }, this.#said, this.#text, this.#bar);
    this.#panel = make("section", { class: "zip-panel", "aria-label": "Download" }, facts, stop);
  }

  async run(): Promise<void> {
    const leave = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", leave);
    document.querySelector(".zip-panel")?.remove();
    document.body.append(this.#panel);
    this.#say("Saving the files…");
    try {
      do {
        await this.#savePart();
      } while (this.#parts.hasMore && (await this.#isContinued()));
      this.#close(describe(this.#parts.counts, this.#parts.hasMore));
    } catch (error) {
      if (error instanceof ShareOverError) this.#onOver(error.page);
      const isStopped = this.#abort.signal.aborted;
      const reason = error instanceof Error ? error.message : String(error);
      this.#close(isStopped ? "Stopped. Nothing was saved." : `Nothing was saved. ${reason}.`);
    } finally {
      removeEventListener("beforeunload", leave);
    }
  }

  async #savePart(): Promise<void> {
    this.#part += 1;
    const name = this.#part === 1 ? titleOf() : `${titleOf()} (part ${this.#part})`;
    await this.#target.write(this.#parts.next(), `${name}.zip`, this.#abort.signal);
  }

  /** A further download needs another click, as browsers demand. */
  #isContinued(): Promise<boolean> {
    const limit = toHumanSize(this.#target.maxBytes);
    this.#say(`${filesOf(this.#parts.counts.files)} saved. This browser makes zips of up to ${limit}.`);
    const next = make("button", { type: "button", class: "button" }, "Save the next part");
    this.#panel.prepend(next);
    return new Promise((resolve) => {
      const decide = (isContinued: boolean) => {
        next.remove();
        resolve(isContinued);
      };
      next.addEventListener("click", () => decide(true));
      this.#abort.signal.addEventListener("abort", () => decide(false), { once: true });
    });
  }

  /** Shows the outcome until the visitor closes it or begins another download. */
  #close(outcome: string): void {
    this.#say(outcome);
    this.#text.remove();
    this.#bar.remove();
    const close = makeIconButton("Close", makeIcon("close"), () => this.#panel.remove());
    this.#panel.lastElementChild?.replaceWith(close);
  }

  #say(text: string): void {
    this.#said.textContent = text;
  }

  #draw(): void {
    const { files, bytes } = this.#parts.counts;
    this.#bar.value = files;
    this.#text.textContent = `${files.toLocaleString("en")} of ${filesOf(this.#total)} · ${toHumanSize(bytes)}`;
  }
}

function filesOf(count: number): string {
  return count === 1 ? "1 file" : `${count.toLocaleString("en")} files`;
}

function describe({ files, gone, tooLarge }: ZipCounts, isCut: boolean): string {
  const parts = [`${filesOf(files)} saved.`];
  if (gone > 0) parts.push(`${filesOf(gone)} had been deleted.`);
  if (tooLarge.length > 0) parts.push(`Too large for a zip of this browser: ${tooLarge.join(", ")}.`);
  if (isCut) parts.push("The other files are not saved.");
  return parts.join(" ");
}
