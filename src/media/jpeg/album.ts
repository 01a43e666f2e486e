import { includesText, startsWith } from "../bytes.ts";
import { beginScrub, scrubPart } from "../metadata/scrubber.ts";
import { ADOBE_GAIN_MAP, APP1, APP2, APPLE_GAIN_MAP, EOI, ISO_GAIN_MAP, MarkerWalk, SOI, SOS, XMP } from "./markers.ts";

/** Only this many pictures after the first are examined. Phones write fewer. */
const MAX_PICTURES = 16;
const MPF_TIFF_AT = 8;

/** The parts of a photo besides its first picture that are kept (Ultra HDR, ISO 21496-1, Apple's gain maps; Google's Motion Photo format 1.0). */
export interface Album {
  /** A JPEG that brightens the first picture on capable displays. */
  readonly gainMap: Uint8Array | undefined;
  /** An MP4 that ends the file. */
  readonly film: Uint8Array | undefined;
  /** Whether the first picture announces Adobe's gain map in its XMP. */
  readonly isAdobe: boolean;
  /** Whether the gain map is Apple's. Only the map's own XMP says so. */
  readonly isApple: boolean;
  /** Maker notes with the boost of Apple's gain map, if the map itself does not have it. */
  readonly boost: Uint8Array | undefined;
  /** The content of the first picture's segment of ISO 21496-1. */
  readonly iso: Uint8Array | undefined;
  /** The moment of the film that the still shows, in microseconds. */
  readonly stillAtUs: string | undefined;
}

/** The first picture's announcements of a gain map and a film. */
export interface Announced {
  /** Whether it announces a gain map. Apple's photos announce none: only the map describes itself. */
  readonly announcesGainMap: boolean;
  /** Its first standard packet of XMP. Programs ignore further ones. */
  readonly xmp: Uint8Array | undefined;
  readonly iso: Uint8Array | undefined;
  /** Maker notes with the boost of Apple's gain map. */
  readonly boost: Uint8Array | undefined;
}

/**
 * Finds the gain map and the film after a picture.
 * @param rest the bytes after the picture
 * @returns undefined if there is neither, also if an editor dropped the gain map and left its announcement; `unknown` if they are announced
 * or found in a form that cannot be written again
 */
export function findAlbum(announced: Announced, rest: Uint8Array): Album | "unknown" | undefined {
  const { announcesGainMap, xmp, iso, boost } = announced;
  const text = xmp === undefined ? "" : Buffer.from(xmp).toString("latin1");
  const isMotion = /[:\s](?:MotionPhoto|MicroVideo)(?:=["']1["']|>1<)/.test(text);
  const { pictures, isCutOff, filmAt } = readRest(rest);
  const film = filmAt === undefined ? undefined : rest.subarray(filmAt);
  const maps = pictures.map(readGainMap).filter((map) => map !== undefined);
  const [map] = maps;
  const mayBeMap = pictures.length > 0 || isCutOff;
  const hasGainMap = maps.length > 0 || (announcesGainMap && mayBeMap);
  if (!hasGainMap && !isMotion && film === undefined) return undefined;
  // Samsung's directory after the film has positions that would become wrong.
  if (film !== undefined && startsWith(film, "SEFT", film.length - 4)) return "unknown";
  if ((hasGainMap && maps.length !== 1) || (isMotion && film === undefined) || (film !== undefined && !isMotion))
    return "unknown";
  if (hasGainMap && map?.hasBoost === false && boost === undefined) return "unknown";
  const isApple = hasGainMap && map?.isApple === true;
  const [, stillAtUs] = /(?:MotionPhoto|MicroVideo)PresentationTimestampUs(?:=["']|>)(-?\d{1,15})/.exec(text) ?? [];
  return {
    gainMap: hasGainMap ? map?.picture : undefined,
    film,
    isAdobe: text.includes(ADOBE_GAIN_MAP),
    isApple,
    boost: isApple ? boost : undefined,
    iso,
    stillAtUs,
  };
}

interface Rest {
  /** The JPEGs after the first picture. */
  readonly pictures: readonly Uint8Array[];
  /** Whether a further JPEG begins that has no end. */
  readonly isCutOff: boolean;
  /** The position of the MP4 after them. */
  readonly filmAt: number | undefined;
}

/** Finds the JPEGs after a picture, and the MP4 after them. `ftyp` is searched again only behind a picture that contains it. */
function readRest(rest: Uint8Array): Rest {
  const pictures: Uint8Array[] = [];
  const view = Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength);
  let at = 0;
  let ftyp = view.indexOf("ftyp", 0, "latin1");
  while (pictures.length < MAX_PICTURES) {
    const found = view.indexOf("\xff\xd8\xff", at, "latin1");
    if (ftyp >= 0 && ftyp < at) ftyp = view.indexOf("ftyp", at, "latin1");
    const isFilm = ftyp >= 4 && (found < 0 || ftyp < found);
    if (isFilm) return { pictures, isCutOff: false, filmAt: ftyp - 4 };
    const end = found < 0 ? undefined : findEnd(rest, found);
    if (end === undefined) return { pictures, isCutOff: found >= 0, filmAt: undefined };
    pictures.push(rest.subarray(found, end));
    at = end;
  }
  return { pictures, isCutOff: false, filmAt: undefined };
}

/** The position after a JPEG's EOI; undefined if it is cut off. */
function findEnd(bytes: Uint8Array, at: number): number | undefined {
  const walk = new MarkerWalk(bytes, at + 2);
  for (let segment = walk.next(); segment !== undefined && segment.end <= bytes.length; segment = walk.next()) {
    if (segment.marker === EOI) return segment.end;
    if (segment.marker === SOI) return undefined;
    if (segment.marker === SOS) walk.skipData();
  }
  return undefined;
}

interface GainMap {
  readonly picture: Uint8Array;
  readonly isApple: boolean;
  /** Whether the map itself says how much it brightens. Apple's older maps do not. */
  readonly hasBoost: boolean;
}

/** A JPEG that describes itself as a gain map: by ISO 21496-1, or in its first packet of XMP. */
function readGainMap(picture: Uint8Array): GainMap | undefined {
  const walk = new MarkerWalk(picture);
  let isIso = false;
  let xmp: Uint8Array | undefined;
  for (let segment = walk.next(); segment !== undefined && segment.marker !== SOS; segment = walk.next()) {
    const content = picture.subarray(segment.begin, segment.end);
    if (segment.marker === APP2 && startsWith(content, ISO_GAIN_MAP)) isIso = true;
    if (segment.marker === APP1 && startsWith(content, XMP)) xmp ??= content;
  }
  const says = (text: string) => xmp !== undefined && includesText(xmp, text);
  const isApple = says(APPLE_GAIN_MAP);
  const hasBoost = isIso || says(ADOBE_GAIN_MAP) || says("HDRGainMapHeadroom");
  return isApple || hasBoost ? { picture, isApple, hasBoost } : undefined;
}

/** The parts without their metadata, and the first picture's segments that announce them. */
export interface WrittenAlbum {
  readonly segments: readonly Uint8Array<ArrayBuffer>[];
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  readonly index: Uint8Array<ArrayBuffer> | undefined;
}

/** Copies the parts without their metadata, and writes the segments. `fillIndex` completes the index. */
export async function writeAlbum(album: Album, pause: () => Promise<void> | undefined): Promise<WrittenAlbum> {
  const { gainMap, film, iso, isAdobe } = album;
  const map = gainMap && (await bare(gainMap, "image/jpeg", pause));
  const copy = film && (await bare(film, "video/mp4", pause));
  const index = map && new Uint8Array(segment(APP2, indexContent()));
  const segments = [
    ...(isAdobe || film ? [segment(APP1, Buffer.from(XMP + describe(album), "latin1"))] : []),
    ...(iso === undefined ? [] : [segment(APP2, iso)]),
    ...(index === undefined ? [] : [index]),
  ];
  return { segments, parts: [map, copy].filter((part) => part !== undefined), index };
}

async function bare(
  bytes: Uint8Array,
  type: "image/jpeg" | "video/mp4",
  pause: () => Promise<void> | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes);
  const state = beginScrub(type, "none");
  if (state !== undefined) await scrubPart(state, [copy], pause);
  return copy;
}

function segment(marker: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = content.length + 2;
  return Uint8Array.from([0xff, marker, length >> 8, length & 255, ...content]);
}

/** XMP with the lengths of the parts (Ultra HDR 1.0; Motion Photo format 1.0, and its older form for older programs). */
function describe({ gainMap, film, isAdobe, stillAtUs }: Album): string {
  const item = (semantic: string, mime: string, rest = "") =>
    `<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="${semantic}" Item:Mime="${mime}"${rest}/></rdf:li>`;
  const still = stillAtUs ?? "-1";
  const motion = film
    ? ` GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MotionPhotoPresentationTimestampUs="${still}"` +
      ` GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="${film.length}"` +
      ` GCamera:MicroVideoPresentationTimestampUs="${still}"`
    : "";
  return (
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""` +
    ` xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"` +
    ` xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"` +
    `${gainMap && isAdobe ? ' hdrgm:Version="1.0"' : ""}${motion}><Container:Directory><rdf:Seq>` +
    item("Primary", "image/jpeg") +
    (gainMap ? item("GainMap", "image/jpeg", ` Item:Length="${gainMap.length}"`) : "") +
    (film ? item("MotionPhoto", "video/mp4", ` Item:Length="${film.length}" Item:Padding="0"`) : "") +
    "</rdf:Seq></Container:Directory></rdf:Description></rdf:RDF></x:xmpmeta>"
  );
}

/** The index of two pictures, without sizes (CIPA DC-007, 5.2). */
function indexContent(): Uint8Array {
  const entry = (tag: number, type: number, count: number, value: number) => [
    ...u16(tag),
    ...u16(type),
    ...u32(count),
    ...u32(value),
  ];
  return Uint8Array.from([
    ...Array.from("MPF\0MM\0*", (char) => char.charCodeAt(0)),
    ...u32(8),
    ...u16(3),
    ...entry(0xb000, 7, 4, 0x30313030),
    ...entry(0xb001, 4, 1, 2),
    ...entry(0xb002, 7, 32, 50),
    ...u32(0),
    ...new Array<number>(32).fill(0),
  ]);
}

function u16(value: number): number[] {
  return [value >> 8, value & 255];
}

function u32(value: number): number[] {
  return [...u16(value >>> 16), ...u16(value & 0xffff)];
}

/**
 * Writes the sizes and the position of the gain map into the index. Positions count from the index's own TIFF header.
 * @param pieces the first picture's pieces, which include the index
 */
export function fillIndex({ index, parts }: WrittenAlbum, pieces: readonly Uint8Array[]): void {
  const [map] = parts;
  if (index === undefined || map === undefined) return;
  const lengthOf = (some: readonly Uint8Array[]) => some.reduce((sum, { length }) => sum + length, 0);
  const primaryBytes = lengthOf(pieces);
  const tiffAt = lengthOf(pieces.slice(0, pieces.indexOf(index))) + MPF_TIFF_AT;
  const view = new DataView(index.buffer, index.byteOffset + MPF_TIFF_AT + 50);
  view.setUint32(0, 0x030000);
  view.setUint32(4, primaryBytes);
  view.setUint32(20, map.length);
  view.setUint32(24, primaryBytes - tiffAt);
}
