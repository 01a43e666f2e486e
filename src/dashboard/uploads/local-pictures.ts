import { drawPicture } from "./draw-picture.ts";

const MOST_KEPT = 200;
const MOST_BYTES = 8 * 1024 * 1024;
/** The most files that wait to be drawn. The tray requests further pictures later. */
const MOST_WAITING = 40;

interface Drawn {
  readonly address: string;
  readonly sizeBytes: number;
}

/**
 * Small pictures of this page's uploads, drawn one at a time. The tray shows them, and the grid shows them until the service's previews are
 * ready. The oldest pictures are dropped when there are too many, or when they take too much memory.
 */
export class LocalPictures {
  readonly #shown: Map<string, string>;
  readonly #changed: () => void;
  /** Pictures by the upload's id, the oldest first. */
  readonly #drawn = new Map<number, Drawn>();
  readonly #asked = new Set<number>();
  readonly #mediaIds = new Map<number, string>();
  #keptBytes = 0;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** @param shown addresses by the id of the stored file, for the grid @param changed called when a picture was drawn or dropped */
  constructor(shown: Map<string, string>, changed: () => void) {
    this.#shown = shown;
    this.#changed = changed;
  }

  /** @returns the address of an upload's picture. If there is none yet, it is drawn from the file. */
  addressOf(id: number, file: File | undefined): string | undefined {
    if (file !== undefined && !this.#asked.has(id) && this.#waiting < MOST_WAITING) {
      this.#asked.add(id);
      this.#waiting += 1;
      this.#last = this.#last.then(() => this.#draw(id, file));
    }
    return this.#drawn.get(id)?.address;
  }

  /** An upload was stored: the grid shows its picture under the file's id. */
  noteStored(id: number, mediaId: string): void {
    this.#mediaIds.set(id, mediaId);
    this.#show(id);
  }

  async #draw(id: number, file: File): Promise<void> {
    // A file that cannot be decoded, or was moved, has no picture.
    const picture = await drawPicture(file).catch(() => undefined);
    this.#waiting -= 1;
    if (picture === undefined) return;
    this.#drawn.set(id, { address: URL.createObjectURL(picture), sizeBytes: picture.size });
    this.#keptBytes += picture.size;
    this.#show(id);
    this.#dropOldest();
    this.#changed();
  }

  #show(id: number): void {
    const [mediaId, drawn] = [this.#mediaIds.get(id), this.#drawn.get(id)];
    if (mediaId !== undefined && drawn !== undefined) this.#shown.set(mediaId, drawn.address);
  }

  #dropOldest(): void {
    for (const [id, { address, sizeBytes }] of this.#drawn) {
      if (this.#drawn.size <= MOST_KEPT && this.#keptBytes <= MOST_BYTES) return;
      this.#drawn.delete(id);
      this.#keptBytes -= sizeBytes;
      this.#shown.delete(this.#mediaIds.get(id) ?? "");
      URL.revokeObjectURL(address);
    }
  }
}
