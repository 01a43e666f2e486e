import type { ScrubMode } from "../../domain/metadata-mode.ts";
import { ADOBE_GAIN_MAP, APPLE_GAIN_MAP } from "../jpeg/markers.ts";

const SPACE = 0x20;
/** Names of properties that identify the place, the person or the device, in any namespace: `exif:GPSLatitude`, `drone-dji:GpsLongitude`. */
const PRIVATE_NAME =
  /gps|latitude|longitude|altitude|geo(?!metry)|location|serial|owner|thumbnail|makernote|^(?:city|ciadr.*|country.*|state|province.*|worldregion|mcc.*|hasextendedxmp)$/i;
/** A value that is a place, as ISO 6709 and Exif in XMP write it. */
const PLACE_VALUE = /^\s*[+-]\d{1,3}\.\d+[+-]\d{1,3}\.\d+|^\s*\d{1,3},\d{1,2}(?:[.,]\d+)?[NSEW]\s*$/;
/**
 * Namespaces that decide how a picture is shown: HDR gain maps, containers of several pictures, panoramas, motion photos. They stay in all
 * modes, without their properties of private names.
 */
const SHOWN_NAMESPACES = [
  ADOBE_GAIN_MAP,
  APPLE_GAIN_MAP,
  "http://ns.apple.com/pixeldatainfo/",
  "http://ns.google.com/photos/1.0/container/",
  "http://ns.google.com/photos/1.0/camera/",
  "http://ns.google.com/photos/1.0/panorama/",
  "http://ns.google.com/photos/dd/1.0/",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  "adobe:ns:meta/",
];
/** A packet whose elements nest deeper is overwritten. Programs write fewer levels. */
const MAX_DEPTH = 64;

/**
 * Overwrites with spaces the properties of an XMP packet that a mode does not keep, and all comments. Its length and its other bytes stay. A
 * packet that is not well-formed XML is overwritten as a whole.
 * @param bytes a packet in UTF-8, maybe with padding
 */
export function blankXmp(bytes: Uint8Array, mode: ScrubMode): void {
  try {
    for (const [from, to] of findPrivate(new XmlText(bytes), mode)) bytes.fill(SPACE, from, to);
  } catch (error) {
    if (!(error instanceof NotXml)) throw error;
    bytes.fill(SPACE);
  }
}

class NotXml extends Error {}

type Range = readonly [from: number, to: number];

/** @throws NotXml */
function findPrivate(xml: XmlText, mode: ScrubMode): Range[] {
  const ranges: Range[] = [];
  const namespaces = new Map<string, string>();
  const open: { readonly name: string; readonly at: number; readonly isPrivate: boolean }[] = [];
  const isKept = (name: string) => keepsName(name, namespaces, mode);
  let hiddenSince: number | undefined;
  for (let tag = xml.next(); tag !== undefined; tag = xml.next()) {
    if (tag.kind === "other") {
      if (tag.isComment) ranges.push([tag.at, tag.end]);
    } else if (tag.kind === "text") {
      if (PLACE_VALUE.test(tag.text)) ranges.push([tag.at, tag.end]);
    } else if (tag.kind === "close") {
      const opened = open.pop();
      if (opened?.name !== tag.name) throw new NotXml();
      if (opened.isPrivate && hiddenSince === opened.at) {
        ranges.push([opened.at, tag.end]);
        hiddenSince = undefined;
      }
    } else {
      for (const { name, value } of tag.attributes) {
        if (name.startsWith("xmlns:")) namespaces.set(name.slice(6), value);
      }
      const isPrivate = !isKept(tag.name);
      if (isPrivate && tag.isEmpty && hiddenSince === undefined) ranges.push([tag.at, tag.end]);
      else if (isPrivate) hiddenSince ??= tag.at;
      for (const { name, value, at, end } of tag.attributes) {
        if (!isStructural(name) && (!isKept(name) || PLACE_VALUE.test(value))) ranges.push([at, end]);
      }
      if (!tag.isEmpty) open.push({ name: tag.name, at: tag.at, isPrivate });
      if (open.length > MAX_DEPTH) throw new NotXml();
    }
  }
  if (open.length > 0) throw new NotXml();
  return ranges;
}

function isStructural(name: string): boolean {
  return name.startsWith("xmlns") || name.startsWith("xml:") || name.startsWith("rdf:");
}

function keepsName(qualified: string, namespaces: ReadonlyMap<string, string>, mode: ScrubMode): boolean {
  const colon = qualified.indexOf(":");
  if (PRIVATE_NAME.test(qualified.slice(colon + 1))) return false;
  if (mode === "private") return true;
  const namespace = namespaces.get(qualified.slice(0, Math.max(0, colon))) ?? "";
  return SHOWN_NAMESPACES.some((shown) => namespace.startsWith(shown));
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly at: number;
  readonly end: number;
}

type Tag = { readonly at: number; readonly end: number } & (
  | {
      readonly kind: "open";
      readonly name: string;
      readonly attributes: readonly Attribute[];
      readonly isEmpty: boolean;
    }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "other"; readonly isComment: boolean }
);

const NAME = /[^\s=/>"'<]+/y;
const ATTRIBUTE = /\s+([^\s=/>"'<]+)\s*=\s*("[^"<]*"|'[^'<]*')/y;
const TAG_END = /\s*(\/?)>/y;

/** Reads the tags, texts and comments of an XML document one by one, with their positions. */
class XmlText {
  readonly #text: string;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // One character for each byte, so that positions agree. Names and marks are ASCII.
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  }

  /** @throws NotXml */
  next(): Tag | undefined {
    const text = this.#text;
    const at = this.#at;
    if (at >= text.length) return undefined;
    if (text[at] !== "<") {
      const found = text.indexOf("<", at);
      this.#at = found < 0 ? text.length : found;
      return { kind: "text", text: text.slice(at, Math.min(this.#at, at + 100)), at, end: this.#at };
    }
    if (text.startsWith("<!--", at)) return this.#other(at, "-->", true);
    if (text.startsWith("<?", at)) return this.#other(at, "?>", false);
    // CDATA and a DOCTYPE with its entities could hide names.
    if (text.startsWith("<!", at)) throw new NotXml();
    const isClosing = text[at + 1] === "/";
    const name = this.#match(NAME, at + (isClosing ? 2 : 1))[0];
    const attributes: Attribute[] = [];
    for (;;) {
      ATTRIBUTE.lastIndex = this.#at;
      const found = ATTRIBUTE.exec(text);
      if (found === null) break;
      const begin = this.#at;
      this.#at = ATTRIBUTE.lastIndex;
      const [, attribute = "", quoted = ""] = found;
      attributes.push({ name: attribute, value: quoted.slice(1, -1), at: begin, end: this.#at });
    }
    const isEmpty = this.#match(TAG_END, this.#at)[1] === "/";
    if (isClosing) return { kind: "close", name, at, end: this.#at };
    return { kind: "open", name, attributes, isEmpty, at, end: this.#at };
  }

  #other(at: number, mark: string, isComment: boolean): Tag {
    const found = this.#text.indexOf(mark, at);
    if (found < 0) throw new NotXml();
    this.#at = found + mark.length;
    return { kind: "other", isComment, at, end: this.#at };
  }

  #match(pattern: RegExp, at: number): RegExpExecArray {
    pattern.lastIndex = at;
    const found = pattern.exec(this.#text);
    if (found === null) throw new NotXml();
    this.#at = pattern.lastIndex;
    return found;
  }
}
