import { ByteWindow } from "./byte-window.ts";
import { parseContentDisposition } from "./content-disposition.ts";
import { MultipartError } from "./multipart-error.ts";

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_PARTS = 200;
/** The most bytes that are read after the closing boundary. */
const MAX_EPILOGUE_BYTES = 64 * 1024;

const CRLF = "\r\n";
const DASHES = "--";
const END_OF_HEADERS = Buffer.from("\r\n\r\n");

export interface MultipartPart {
  /** The field's name. */
  readonly name: string;
  /** Undefined for a text field. */
  readonly filename: string | undefined;
  /**
   * The next bytes of the part's content; undefined at its end. They are valid only until the next call.
   * @throws MultipartError, BodyTooLargeError
   */
  read(): Promise<Uint8Array | undefined>;
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) as a stream of parts. Memory does not grow with the body: at most one window is read ahead.
 * A part that was not read to its end is skipped when the next one is requested.
 */
export class MultipartReader {
  readonly #window: ByteWindow;
  readonly #delimiter: Buffer;
  readonly #totalBytes: number;
  /** Whether the body's length was announced. */
  readonly isSizeKnown: boolean;
  #inContent = false;

  /**
   * @param totalBytes of the body, if it is known
   * @param maxBytes the most that the body may have
   */
  constructor(body: ReadableStream<Uint8Array>, boundary: string, totalBytes: number | undefined, maxBytes: number) {
    this.#window = new ByteWindow(body, maxBytes);
    this.#delimiter = Buffer.from(CRLF + DASHES + boundary);
    this.#totalBytes = totalBytes ?? maxBytes;
    this.isSizeKnown = totalBytes !== undefined;
  }

  get receivedBytes(): number {
    return this.#window.receivedBytes;
  }

  /** The time that the read in progress has waited for the client; 0 if there is none. */
  get silentMs(): number {
    return this.#window.silentMs;
  }

  /** The total time that reads have waited for the client. */
  get waitedMs(): number {
    return this.#window.waitedMs;
  }

  /** The most bytes that the current part can still have: the rest of the body without the closing boundary. */
  get remainingContentBytes(): number {
    return Math.max(0, this.#totalBytes - this.#window.consumedBytes - this.#delimiter.length - DASHES.length);
  }

  /** @throws MultipartError, BodyTooLargeError */
  async *parts(): AsyncGenerator<MultipartPart, void, undefined> {
    await this.#skipPreamble();
    for (let count = 0; await this.#anotherPart(); count++) {
      if (count === MAX_PARTS) throw new MultipartError(`More than ${MAX_PARTS} parts`);
      const { name, filename } = await this.#readHeaders();
      this.#inContent = true;
      yield { name, filename, read: () => this.#readContent() };
      while ((await this.#readContent()) !== undefined);
    }
    await this.#skipEpilogue();
  }

  /** Stops reading and lets the sender stop. */
  async cancel(reason?: unknown): Promise<void> {
    await this.#window.cancel(reason);
  }

  /** Stops reading after bytes that are already sent, within limits, so that the sender can read the answer. */
  async refuse(): Promise<void> {
    await this.#window.refuse();
  }

  /** Skips the preamble. The first boundary may begin the body; then no CRLF precedes it. */
  async #skipPreamble(): Promise<void> {
    const opening = this.#delimiter.subarray(CRLF.length);
    await this.#require(opening.length);
    if (this.#window.bytes().subarray(0, opening.length).equals(opening)) {
      this.#window.consume(opening.length);
      return;
    }
    this.#inContent = true;
    while ((await this.#readContent()) !== undefined);
  }

  async #readContent(): Promise<Uint8Array | undefined> {
    while (this.#inContent) {
      const bytes = this.#window.bytes();
      const at = bytes.indexOf(this.#delimiter);
      if (at === 0) {
        this.#window.consume(this.#delimiter.length);
        this.#inContent = false;
        break;
      }
      // The last bytes may be the beginning of a boundary.
      const length = at > 0 ? at : bytes.length - this.#delimiter.length + 1;
      if (length > 0) {
        this.#window.consume(length);
        return bytes.subarray(0, length);
      }
      if (!(await this.#window.fill())) throw new MultipartError("The body ends before its closing boundary");
    }
    return undefined;
  }

  /** Continues after a boundary: `--` ends the body, a line end begins the next part. */
  async #anotherPart(): Promise<boolean> {
    await this.#require(DASHES.length);
    if (this.#window.bytes().subarray(0, DASHES.length).equals(Buffer.from(DASHES))) return false;
    for (let padding = 0; padding < MAX_HEADER_BYTES; padding++) {
      await this.#require(CRLF.length);
      const [first, second] = this.#window.bytes();
      if (first === 0x0d && second === 0x0a) return true;
      if (first !== 0x20 && first !== 0x09) break;
      this.#window.consume(1);
    }
    throw new MultipartError("A boundary is not followed by a line end");
  }

  /** Moves the window to the first byte of the content. */
  async #readHeaders(): Promise<{ name: string; filename: string | undefined }> {
    // The search begins at the line end after the boundary, because a part may have no headers at all.
    let end = this.#window.bytes().indexOf(END_OF_HEADERS);
    while (end === -1 && this.#window.bytes().length < MAX_HEADER_BYTES + END_OF_HEADERS.length) {
      if (!(await this.#window.fill())) throw new MultipartError("The body ends in the headers of a part");
      end = this.#window.bytes().indexOf(END_OF_HEADERS);
    }
    if (end === -1 || end > MAX_HEADER_BYTES) throw new MultipartError("The headers of a part are too long");
    const headers = decode(this.#window.bytes().subarray(0, end));
    this.#window.consume(end + END_OF_HEADERS.length);
    const disposition = parseContentDisposition(findHeader(headers, "content-disposition") ?? "");
    if (disposition?.type !== "form-data" || disposition.name === undefined) {
      throw new MultipartError("A part has no name");
    }
    return { name: disposition.name, filename: disposition.filename };
  }

  async #skipEpilogue(): Promise<void> {
    const limit = this.#window.consumedBytes + MAX_EPILOGUE_BYTES;
    do this.#window.consume(this.#window.bytes().length);
    while (this.#window.consumedBytes < limit && (await this.#window.fill()));
    await this.#window.cancel();
  }

  async #require(count: number): Promise<void> {
    while (this.#window.bytes().length < count) {
      if (!(await this.#window.fill())) throw new MultipartError("The body ends before its closing boundary");
    }
  }
}

/** Headers are UTF-8 (RFC 7578, 5.1.2). Other bytes come from clients that send Latin-1. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function findHeader(headers: string, name: string): string | undefined {
  // A header may be folded over several lines (RFC 822, 3.1.1; RFC 9112, 5.2).
  for (const line of headers.replace(/\r\n(?=[ \t])/g, "").split(CRLF)) {
    const colon = line.indexOf(":");
    if (colon > 0 && line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return undefined;
}

/** RFC 2046, 5.1.1: 1 to 70 characters of a small set, the last of which is not a space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const TYPE = /^\s*multipart\/form-data/i;
/** Sticky, one parameter after another, so that a `boundary=` within another's quoted value does not count. */
const PARAMETER = /\s*;\s*([^\s;="]+)=(?:"([^"]*)"|([^\s;"]*))/y;

/** The boundary in a `Content-Type`. Undefined if the type is not `multipart/form-data` or the boundary is missing or malformed. */
export function parseBoundary(contentType: string): string | undefined {
  const type = TYPE.exec(contentType)?.[0];
  if (type === undefined) return undefined;
  PARAMETER.lastIndex = type.length;
  for (let match = PARAMETER.exec(contentType); match !== null; match = PARAMETER.exec(contentType)) {
    if (match[1]?.toLowerCase() !== "boundary") continue;
    const boundary = match[2] ?? match[3] ?? "";
    const isWhole = /^\s*(?:;|$)/.test(contentType.slice(PARAMETER.lastIndex));
    return isWhole && BOUNDARY.test(boundary) ? boundary : undefined;
  }
  return undefined;
}
