/** A place for the bytes of a zip. */
export interface SaveTarget {
  /** The most bytes that fit into it. */
  readonly maxBytes: number;
  write(zip: ReadableStream<Uint8Array>, name: string, signal: AbortSignal): Promise<void>;
}

interface PickedFile {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}
type PickFile = (options: { suggestedName: string }) => Promise<PickedFile>;

/** Browsers without a file picker keep a whole zip in memory or in a temporary file. */
const MAX_KEPT_BYTES = 1024 ** 3;
/** Bytes are given to the browser in pieces of this size, which it may keep outside the page's memory. */
const PIECE_BYTES = 16 * 1024 ** 2;
/** The browser must have started the download before the bytes are released. */
const RELEASE_MS = 60_000;

/** A file that the visitor picks and that is written directly; else a download. @returns undefined if the visitor picks none */
export async function pickTarget(name: string): Promise<SaveTarget | undefined> {
  const pick = (window as { showSaveFilePicker?: PickFile }).showSaveFilePicker;
  if (pick === undefined) return KEPT;
  const file = await pick({ suggestedName: name }).catch(() => undefined);
  return (
    file && {
      maxBytes: Number.POSITIVE_INFINITY,
      write: async (zip, _, signal) => zip.pipeTo(await file.createWritable(), { signal }),
    }
  );
}

const KEPT: SaveTarget = {
  maxBytes: MAX_KEPT_BYTES,
  async write(zip, name, signal) {
    const address = URL.createObjectURL(await keep(zip, signal));
    Object.assign(document.createElement("a"), { href: address, download: name, rel: "noopener" }).click();
    setTimeout(() => URL.revokeObjectURL(address), RELEASE_MS);
  },
};

async function keep(zip: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Blob> {
  const pieces: Blob[] = [];
  let [chunks, bytes]: [Uint8Array<ArrayBuffer>[], number] = [[], 0];
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      chunks.push(chunk as Uint8Array<ArrayBuffer>);
      bytes += chunk.byteLength;
      if (bytes < PIECE_BYTES) return;
      pieces.push(new Blob(chunks));
      [chunks, bytes] = [[], 0];
    },
  });
  await zip.pipeTo(sink, { signal });
  return new Blob([...pieces, ...chunks], { type: "application/zip" });
}
