/**
 * Views of one account's files as bytes: 11 to 45 each. A pack has its resources, then its views by time. Numbers are unsigned LEB128,
 * seven bits a byte with the lowest first (DWARF 5, 7.6); an id is its eight bytes. A pack of the second format begins with the number of
 * bytes that its views sent.
 */

export interface View {
  /** The same in every copy of one view; 16 hexadecimal digits in a pack. */
  readonly id: string;
  /** The time of the view; the same in every copy. */
  readonly at: number;
  /** The upload whose file or thumbnail was viewed. */
  readonly resourceId: string;
}

const FORMAT = 1;
const FORMAT_WITH_BYTES = 2;
const ID_BYTES = 8;
const ID = /^[0-9a-f]{16}$/;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const MALFORMED = "A pack of views is malformed";

/** The number is random, so that two views of the same millisecond differ. */
export function newViewId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
}

/**
 * @param sentBytes what was sent for the views
 * @throws RangeError if an id was not made by `newViewId`
 */
export function packViews(views: readonly View[], sentBytes = 0): Uint8Array<ArrayBuffer> {
  const ordered = views.toSorted((a, b) => a.at - b.at);
  const resources = new Map<string, number>();
  for (const { resourceId } of ordered) if (!resources.has(resourceId)) resources.set(resourceId, resources.size);
  const bytes: number[] = sentBytes === 0 ? [FORMAT] : [FORMAT_WITH_BYTES];
  if (sentBytes > 0) writeNumber(bytes, Math.min(sentBytes, Number.MAX_SAFE_INTEGER));
  writeNumber(bytes, resources.size);
  for (const resource of resources.keys()) {
    const name = new TextEncoder().encode(resource);
    writeNumber(bytes, name.length);
    for (const byte of name) bytes.push(byte);
  }
  writeNumber(bytes, ordered.length);
  let before = 0;
  for (const { id, at, resourceId } of ordered) {
    if (!ID.test(id)) throw new RangeError(`"${id}" cannot be packed`);
    writeNumber(bytes, at - before);
    writeNumber(bytes, resources.get(resourceId) ?? 0);
    for (let digit = 0; digit < id.length; digit += 2) bytes.push(Number.parseInt(id.slice(digit, digit + 2), 16));
    before = at;
  }
  return Uint8Array.from(bytes);
}

/** The views of consecutive packs, in each pack by time. @throws RangeError if the bytes are not whole packs */
export function unpackViews(bytes: Uint8Array): View[] {
  return Array.from(packedViews(bytes), (view) => view.unpack());
}

/** A view in its pack. Its id and resource are decoded only on use. */
export class PackedView {
  readonly at: number;
  readonly #id: Uint8Array;
  readonly #resource: Uint8Array;

  constructor(at: number, id: Uint8Array, resource: Uint8Array) {
    this.at = at;
    this.#id = id;
    this.#resource = resource;
  }

  get id(): string {
    return toHex(this.#id);
  }

  unpack(): View {
    return { id: this.id, at: this.at, resourceId: new TextDecoder().decode(this.#resource) };
  }
}

/** Yields the views one by one, for callers that need only some of them. */
export function* packedViews(bytes: Uint8Array): Generator<PackedView> {
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    readSentBytes(reader);
    const resources: Uint8Array[] = [];
    for (let left = reader.readNumber(); left > 0; left--) resources.push(reader.readBytes(reader.readNumber()));
    let at = 0;
    for (let left = reader.readNumber(); left > 0; left--) {
      at += reader.readNumber();
      const resource = resources[reader.readNumber()];
      if (resource === undefined) throw new RangeError(MALFORMED);
      yield new PackedView(at, reader.readBytes(ID_BYTES), resource);
    }
  }
}

/** The number of bytes that the views of one pack sent; 0 for the first format. @throws RangeError for other formats */
export function sentBytesOf(pack: Uint8Array): number {
  return readSentBytes(new Reader(pack));
}

function readSentBytes(reader: Reader): number {
  const format = reader.readNumber();
  if (format === FORMAT_WITH_BYTES) return reader.readNumber();
  if (format !== FORMAT) throw new RangeError(MALFORMED);
  return 0;
}

class Reader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  readBytes(count: number): Uint8Array {
    const bytes = this.#bytes.subarray(this.#position, this.#position + count);
    if (bytes.length < count) throw new RangeError(MALFORMED);
    this.#position += count;
    return bytes;
  }

  /** Times exceed the 32 bits of JavaScript's shifts. */
  readNumber(): number {
    let value = 0;
    for (let unit = 1; unit <= Number.MAX_SAFE_INTEGER; unit *= 128) {
      const byte = this.#bytes[this.#position++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
    }
    throw new RangeError(MALFORMED);
  }
}

function writeNumber(bytes: number[], value: number): void {
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  bytes.push(left);
}

function toHex(bytes: Uint8Array): string {
  let digits = "";
  for (const byte of bytes) digits += HEX[byte];
  return digits;
}
