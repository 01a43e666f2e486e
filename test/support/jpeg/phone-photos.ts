import { photo } from "../media/pictures.ts";
import { withTags } from "../metadata/exiftool.ts";
import { makeSegment, withSegments } from "./segments.ts";

const XMP = "http://ns.adobe.com/xap/1.0/\0";
/** The name of a segment of ISO 21496-1. The first picture's has only two versions. */
export const ISO = "urn:iso:std:iso:ts:21496:-1\0";
export const GAIN_MAP = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"';
export const ITEMS =
  'xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"';

export const xmp = (properties: string, content = "") =>
  makeSegment(
    0xe1,
    `${XMP}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ${properties}>${content}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  );

export const item = (semantic: string, mime: string, bytes: number) =>
  `<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="${semantic}" Item:Mime="${mime}" Item:Length="${bytes}"/></rdf:li>`;

const u16 = (value: number) => String.fromCharCode(value >> 8, value & 255);
const u32 = (value: number) => u16(value >>> 16) + u16(value & 0xffff);

/** An index of two pictures (CIPA DC-007). */
function index(primaryBytes: number, mapBytes: number, mapAt: number): Uint8Array {
  const entries = u32(0x030000) + u32(primaryBytes) + u32(0) + u32(0) + u32(0) + u32(mapBytes) + u32(mapAt) + u32(0);
  const fields =
    u16(0xb000) +
    u16(7) +
    u32(4) +
    "0100" +
    u16(0xb001) +
    u16(4) +
    u32(1) +
    u32(2) +
    u16(0xb002) +
    u16(7) +
    u32(32) +
    u32(50);
  return makeSegment(0xe2, `MPF\0MM\0*${u32(8)}${u16(3)}${fields}${u32(0)}${entries}`);
}

/** A picture with these segments and an index, followed by its gain map. */
export function withGainMap(picture: Uint8Array, segments: readonly Uint8Array[], map: Uint8Array): Buffer {
  const first = withSegments(picture, ...segments, index(0, 0, 0));
  const mapAt = first.length - (first.indexOf("MPF\0") + 4);
  return Buffer.concat([withSegments(picture, ...segments, index(first.length, map.length, mapAt)), map]);
}

export interface PhonePhoto {
  readonly file: Buffer;
  readonly primary: Buffer;
  readonly gainMap: Buffer | undefined;
  readonly film: Buffer | undefined;
}

/** A phone's photo with a place in each of its parts: with an HDR gain map (Ultra HDR 1.0 and ISO 21496-1), a film (Motion Photo 1.0), or both. */
export async function phonePhoto({
  hdr,
  film,
}: {
  readonly hdr: boolean;
  readonly film?: Buffer;
}): Promise<PhonePhoto> {
  const place = [
    "-GPSLatitude=48.2",
    "-GPSLatitudeRef=N",
    "-GPSLongitude=16.3",
    "-GPSLongitudeRef=E",
    "-Orientation#=6",
  ];
  const primary = await withTags(
    await photo(640, 480).withIccProfile("p3").jpeg({ quality: 97 }).toBuffer(),
    "a.jpg",
    ...place,
  );
  const settings = 'hdrgm:GainMapMax="2.5" hdrgm:HDRCapacityMax="2.5"';
  const bare = await photo(160, 120).greyscale().jpeg({ quality: 80 }).toBuffer();
  const plainMap = withSegments(bare, xmp(`${GAIN_MAP} ${settings}`), makeSegment(0xe2, `${ISO}\0\0\0\0`));
  const gainMap = hdr ? Buffer.from(plainMap) : undefined;
  const motion = film
    ? ' xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MotionPhotoPresentationTimestampUs="500000"'
    : "";
  const items = [
    '<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>',
    gainMap ? item("GainMap", "image/jpeg", gainMap.length) : "",
    film ? item("MotionPhoto", "video/mp4", film.length) : "",
  ].join("");
  const directory = `<Container:Directory><rdf:Seq>${items}</rdf:Seq></Container:Directory>`;
  const description = xmp(`${ITEMS} ${hdr ? GAIN_MAP : ""}${motion}`, directory);
  const head = gainMap
    ? withGainMap(primary, [description, makeSegment(0xe2, `${ISO}\0\0\0\0`)], gainMap)
    : withSegments(primary, description);
  const file = Buffer.concat([head, film ?? Buffer.alloc(0)]);
  return { file, primary, gainMap, film };
}
