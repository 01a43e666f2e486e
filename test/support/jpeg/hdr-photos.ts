import { photo } from "../media/pictures.ts";
import { withTags } from "../metadata/exiftool.ts";
import { type Entry, exifOf } from "./exif-entries.ts";
import { GAIN_MAP, ISO, ITEMS, item, withGainMap, xmp } from "./phone-photos.ts";
import { makeSegment, withSegments } from "./segments.ts";

const [APP0, APP1, APP2, APP13] = [0xe0, 0xe1, 0xe2, 0xed];
const PLACE = ["-GPSLatitude=48.2", "-GPSLatitudeRef=N", "-GPSLongitude=16.3", "-GPSLongitudeRef=E", "-Orientation#=6"];
const PLACE_XMP =
  'xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,12.5N" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Vienna"' +
  ' xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" Iptc4xmpCore:CiAdrCity="Vienna"';
/** The most that the maps brighten, in stops. */
const STOPS = 2.5;
/** The offset that each kind's formula adds to both renditions. */
const OFFSETS = { adobe: 1 / 64, iso: 1 / 32, apple: 0 };

const u16 = (value: number) => String.fromCharCode(value >> 8, value & 255);
const u32 = (value: number) => u16(value >>> 16) + u16(value & 0xffff);
const fraction = (value: number) => u32(Math.round(value * 1000)) + u32(1000);

/** The gain map's segment of ISO 21496-1, annex C: base and alternate headroom, then each channel's minimum, maximum, gamma and offsets. */
function isoSegment(channels: 1 | 3): Buffer {
  const offset = u32(1) + u32(Math.round(1 / OFFSETS.iso));
  const channel = (stops: number) => fraction(0.25) + fraction(stops) + fraction(1.5) + offset + offset;
  const all = channels === 1 ? [STOPS] : [STOPS, STOPS - 0.5, STOPS - 1];
  const flags = String.fromCharCode(channels === 3 ? 0xc0 : 0x40);
  return makeSegment(
    APP2,
    `${ISO}${u16(0)}${u16(0)}${flags}${fraction(0)}${fraction(STOPS)}${all.map(channel).join("")}`,
  );
}

const adobeSegment = () =>
  xmp(
    `${GAIN_MAP} hdrgm:GainMapMin="0.25" hdrgm:GainMapMax="${STOPS}" hdrgm:Gamma="1.5" hdrgm:OffsetSDR="${OFFSETS.adobe}" hdrgm:OffsetHDR="${OFFSETS.adobe}" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="${STOPS}" hdrgm:BaseRenditionIsHDR="False"`,
  );

/** The settings of a map in colour, one for each channel, as Lightroom and Camera Raw write them. */
function adobeChannels(): Buffer {
  const channels = (name: string, values: readonly number[]) =>
    `<hdrgm:${name}><rdf:Seq>${values.map((value) => `<rdf:li>${value}</rdf:li>`).join("")}</rdf:Seq></hdrgm:${name}>`;
  return xmp(
    `rdf:about="" ${GAIN_MAP} ${PLACE_XMP} hdrgm:BaseRenditionIsHDR="False" hdrgm:OffsetSDR="${OFFSETS.iso}" hdrgm:OffsetHDR="${OFFSETS.iso}" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="${STOPS}"`,
    channels("GainMapMin", [-0.141127, -0.107269, -0.309696]) +
      channels("GainMapMax", [STOPS, STOPS - 0.5, STOPS - 1]) +
      channels("Gamma", [0.250409, 0.25, 0.325208]),
  );
}

/**
 * The segments of a first picture of Lightroom, Camera Raw or Photoshop: an announcement without a directory of the parts among the
 * settings of the development, more of them in extended packets, and captions in a Photoshop segment.
 */
function announceLightroom(): Buffer[] {
  const settings = Array.from({ length: 400 }, (_, i) => `crs:Setting${i}="${i}"`).join(" ");
  const extension = `http://ns.adobe.com/xmp/extension/\0${"0123456789ABCDEF".repeat(2)}${u32(180_000)}`;
  const more = Buffer.alloc(60_000, `<exif:GPSLatitude>48,12.5N</exif:GPSLatitude>`).toString("latin1");
  const city = "\x1c\x02\x5a\0\x06Vienna";
  const iptc = `8BIM\x04\x04\0\0${u32(city.length)}${city}\0`;
  const thumbnail = `8BIM\x04\x0c\0\0${u32(1000)}${"t".repeat(1000)}`;
  return [
    makeSegment(APP13, `Photoshop 3.0\0${iptc}${thumbnail}`),
    xmp(
      `rdf:about="" ${GAIN_MAP} ${PLACE_XMP} xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${"0123456789ABCDEF".repeat(2)}" crs:HDREditMode="1" crs:HDRMaxValue="+4.00" ${settings}`,
    ),
    ...[0, 1, 2].map((part) => makeSegment(APP1, `${extension}${u32(part * 60_000)}${more}`)),
  ];
}

/** The XMP of Apple's maps of version 1, whose boost is in the maker notes, or 2. */
const appleSegment = (version: 1 | 2) =>
  xmp(
    'xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/"',
    "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>" +
      `<HDRGainMap:HDRGainMapVersion>${version * 65536}</HDRGainMap:HDRGainMapVersion>` +
      (version === 2 ? "<HDRGainMap:HDRGainMapHeadroom>4.53</HDRGainMap:HDRGainMapHeadroom>" : ""),
  );

/** A text in Apple's maker notes that must not be published. */
export const APPLE_SECRET = "0170521C-E077-45C0";

/** Apple's maker notes: HDRHeadroom 1.5, HDRGain 0.005, and the photo's identifier. */
export function appleNotes(): number[] {
  const count = 3;
  const valuesAt = 14 + 2 + 12 * count + 4;
  const entry = (tag: number, type: number, values: number, at: number) => u16(tag) + u16(type) + u32(values) + u32(at);
  const entries =
    entry(0x21, 10, 1, valuesAt) +
    entry(0x2b, 2, APPLE_SECRET.length + 1, valuesAt + 16) +
    entry(0x30, 10, 1, valuesAt + 8);
  const values = u32(3) + u32(2) + u32(5) + u32(1000);
  const text = `Apple iOS\0\0\x01MM${u16(count)}${entries}${u32(0)}${values}${APPLE_SECRET}\0`;
  return Array.from(text, (char) => char.charCodeAt(0));
}

/** One of Samsung's blocks, and its type. */
export interface SamsungBlock {
  readonly type: number;
  readonly name: string;
  readonly data: Uint8Array | string;
}

export const SAMSUNG_TIME: SamsungBlock = { type: 0x0a01, name: "Image_UTC_Data", data: "1700000000000" };

/** Samsung's blocks after a picture, and the directory with their positions and lengths. */
export function samsungBlocks(...blocks: readonly SamsungBlock[]): Buffer {
  const all = blocks.map(({ type, name, data }) => {
    const header = Buffer.alloc(8);
    header.writeUInt16LE(type, 2);
    header.writeUInt32LE(name.length, 4);
    return Buffer.concat([header, Buffer.from(name), Buffer.from(data)]);
  });
  const directory = Buffer.alloc(12 + 12 * blocks.length);
  directory.write("SEFH", 0, "latin1");
  directory.writeUInt32LE(106, 4);
  directory.writeUInt32LE(blocks.length, 8);
  for (const [at, { type }] of blocks.entries()) {
    directory.writeUInt16LE(type, 14 + 12 * at);
    // The distance from the block to the directory.
    const distance = all.slice(at).reduce((sum, { length }) => sum + length, 0);
    directory.writeUInt32LE(distance, 16 + 12 * at);
    directory.writeUInt32LE(all[at]?.length ?? 0, 20 + 12 * at);
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(directory.length, 0);
  end.write("SEFT", 4, "latin1");
  return Buffer.concat([...all, directory, end]);
}

/** How a photo describes its gain map. */
export interface HdrKind {
  readonly title: string;
  readonly offset: number;
  /** The segments of its first picture, by the length of the gain map. */
  readonly announce: (mapBytes: number) => readonly Uint8Array[];
  readonly describe: readonly Uint8Array[];
  readonly channels?: 3;
  readonly notes?: true;
  readonly behind?: Uint8Array;
}

const announceAdobe = (mapBytes: number) =>
  xmp(
    `${ITEMS} ${GAIN_MAP}`,
    `<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>${item("GainMap", "image/jpeg", mapBytes)}</rdf:Seq></Container:Directory>`,
  );
const announceIso = makeSegment(APP2, `${ISO}\0\0\0\0`);

export const HDR_KINDS: readonly HdrKind[] = [
  {
    title: "Ultra HDR",
    offset: OFFSETS.adobe,
    announce: (bytes) => [announceAdobe(bytes)],
    describe: [adobeSegment()],
  },
  { title: "ISO 21496-1", offset: OFFSETS.iso, announce: () => [announceIso], describe: [isoSegment(1)] },
  {
    title: "ISO 21496-1 in colour",
    offset: OFFSETS.iso,
    announce: () => [announceIso],
    describe: [isoSegment(3)],
    channels: 3,
  },
  {
    title: "Ultra HDR and ISO 21496-1",
    offset: OFFSETS.iso,
    announce: (bytes) => [announceAdobe(bytes), announceIso],
    describe: [adobeSegment(), isoSegment(1)],
  },
  {
    title: "Lightroom, with settings of each channel",
    offset: OFFSETS.iso,
    announce: () => [...announceLightroom(), announceIso],
    describe: [adobeChannels(), isoSegment(3)],
    channels: 3,
  },
  {
    title: "Apple, with the boost in the maker notes",
    offset: OFFSETS.apple,
    announce: () => [],
    describe: [appleSegment(1)],
    notes: true,
  },
  {
    title: "Apple, with the boost in the gain map",
    offset: OFFSETS.apple,
    announce: () => [],
    describe: [appleSegment(2)],
  },
  {
    title: "Apple and ISO 21496-1",
    offset: OFFSETS.iso,
    announce: () => [announceIso],
    describe: [appleSegment(2), isoSegment(1)],
    notes: true,
  },
  {
    title: "Samsung, with its blocks behind the gain map",
    offset: OFFSETS.adobe,
    announce: (bytes) => [announceAdobe(bytes)],
    describe: [adobeSegment()],
    behind: samsungBlocks(SAMSUNG_TIME),
  },
];

/** A photo of a kind, turned, with a place in both pictures. Bright parts are brightened most. */
export async function hdrPhoto({ title, announce, describe, channels, notes, behind }: HdrKind): Promise<Buffer> {
  const jpeg = await photo(320, 240).withIccProfile("p3").jpeg({ quality: 97 }).toBuffer();
  const own: readonly Entry[] = [[0x927c, 7, appleNotes()]];
  const noted = notes
    ? withSegments(jpeg, makeSegment(APP1, exifOf("MM", [[0x010f, 2, [...Buffer.from("Apple\0")]]], own)))
    : jpeg;
  const picture = await withTags(noted, "a.jpg", ...PLACE);
  const small = photo(80, 60);
  const bare = await (channels === 3 ? small : small.greyscale()).jpeg({ quality: 85 }).toBuffer();
  const map = withSegments(await withTags(bare, "a.jpg", ...PLACE), ...describe);
  const jfif = makeSegment(APP0, `JFIF\0\x01\x01\x01\x01,\x01,\0\0${title.startsWith("Apple") ? "AMPF" : ""}`);
  return Buffer.concat([withGainMap(picture, [jfif, ...announce(map.length)], map), behind ?? Buffer.alloc(0)]);
}
