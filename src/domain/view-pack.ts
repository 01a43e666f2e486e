/**
 * Views of one account's files as bytes: 11 to 45 each. A pack has its resources, then its views in the order of time. Numbers are
 * unsigned LEB128, seven bits a byte with the lowest first (DWARF 5, 7.6); an id is its eight bytes.
 */

export interface View {
  /** The same for whatever is sent or stored of one view; in a pack 16 hexadecimal digits. */
  readonly id: string;
  /** When it was made; the same wherever the view is, too. */
  readonly at: number;
  /** The upload that the file or the thumbnail is of. */
  readonly resourceId: string;
}

const FORMAT = 1;
const ID_BYTES = 8;
const ID = /^[0-9a-f]{16}$/;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const MALFORMED = "A pack of views is malformed";

/** What a view's id is made of, so that two views of the same millisecond have different ones. */
export function newViewId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
}

/** @throws RangeError for an id that is not one of `newViewId` */
export function packViews(views: readonly View[]): Uint8Array<ArrayBuffer> {
  const ordered = views.toSorted((a, b) => a.at - b.at);
  const resources = new Map<string, number>();
  for (const { resourceId } of ordered) if (!resources.has(resourceId)) resources.set(resourceId, resources.size);
  const bytes: number[] = [FORMAT];
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

/**
 * The views of packs that follow one another, each in the order of time.
 * @throws RangeError where they are not whole packs
 */
export function unpackViews(bytes: Uint8Array): View[] {
  return Array.from(packedViews(bytes), (view) => view.unpack());
}

/** A view in its pack: its time is read, its id and its resource only where they are asked for. */
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

/** The same views one by one, for whoever needs but some of many. */
export function* packedViews(bytes: Uint8Array): Generator<PackedView> {
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    if (reader.readNumber() !== FORMAT) throw new RangeError(MALFORMED);
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

  /** Times need more than the 32 bits that shifts have. */
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
