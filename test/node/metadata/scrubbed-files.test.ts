import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { MediaType } from "../../../src/domain/media-types.ts";
import { exifWithPlace } from "../../support/media/exif.ts";
import { photo } from "../../support/media/pictures.ts";
import { privateTags, readAllTags, readTags, withTags } from "../../support/metadata/exiftool.ts";
import {
  actionCamera,
  classicMov,
  fastMp4,
  fragmentedMp4,
  hashFrames,
  phoneMov,
  plainMp4,
} from "../../support/metadata/films.ts";
import { scrub } from "../../support/metadata/scrub.ts";

// META-1 to META-3, without the stack: places and serial numbers are removed, pixels and frames stay, no byte moves.

const GPS = ["-GPSLatitude=48.2", "-GPSLatitudeRef=N", "-GPSLongitude=16.3", "-GPSLongitudeRef=E", "-GPSAltitude=171"];
const PERSON = ["-EXIF:SerialNumber=SN12345", "-EXIF:OwnerName=Jane Doe", "-EXIF:LensSerialNumber=L777"];
const XMP = [
  ...["-XMP-exif:GPSLatitude=48.2", "-XMP-exif:GPSLongitude=16.3", "-XMP-aux:SerialNumber=SN999"],
  ...["-XMP-photoshop:City=Vienna", "-XMP-iptcExt:LocationCreatedCity=Vienna", "-XMP-dc:Title=A title"],
];
const IPTC = ["-IPTC:City=Vienna", "-IPTC:Country-PrimaryLocationName=Austria", "-IPTC:By-line=Jane"];
const KEPT = ["-EXIF:Make=Canon", "-DateTimeOriginal=2024:05:06 07:08:09", "-Orientation#=6"];
const ALL = [...GPS, ...PERSON, ...XMP, ...KEPT];

interface Sample {
  readonly name: string;
  readonly type: MediaType;
  readonly make: () => Promise<Buffer>;
}

const picture = () => photo(120, 80).withIccProfile("p3");
const PICTURES: readonly Sample[] = [
  {
    name: "a.jpg",
    type: "image/jpeg",
    make: async () => withTags(await picture().jpeg().toBuffer(), "a.jpg", ...ALL, ...IPTC),
  },
  { name: "b.jpg", type: "image/jpeg", make: withThumbnail },
  {
    name: "a.png",
    type: "image/png",
    make: async () => withTags(await picture().png().toBuffer(), "a.png", ...ALL, ...IPTC, "-PNG:Comment=A comment"),
  },
  {
    name: "a.webp",
    type: "image/webp",
    make: async () => withTags(await picture().webp().toBuffer(), "a.webp", ...ALL),
  },
  {
    name: "animated.webp",
    type: "image/webp",
    make: async () => withTags(await animation("webp"), "a.webp", ...ALL),
  },
  {
    name: "animated.gif",
    type: "image/gif",
    make: async () => withTags(await animation("gif"), "a.gif", ...XMP, "-GIF:Comment=A comment"),
  },
];
const FILMS: readonly Sample[] = [
  { name: "end.mp4", type: "video/mp4", make: plainMp4 },
  { name: "front.mp4", type: "video/mp4", make: fastMp4 },
  { name: "fragments.mp4", type: "video/mp4", make: fragmentedMp4 },
  { name: "classic.mov", type: "video/quicktime", make: classicMov },
  { name: "phone.mov", type: "video/quicktime", make: phoneMov },
  {
    name: "all.mov",
    type: "video/quicktime",
    make: async () =>
      withTags(
        await phoneMov(),
        "a.mov",
        ...["Keys", "UserData", "ItemList"].map((group) => `-${group}:GPSCoordinates=48.2, 16.3, 171`),
        ...["-XMP:GPSLatitude=48.2", "-XMP:GPSLongitude=16.3", "-UserData:LocationInformation=Vienna"],
      ),
  },
  { name: "camera.mp4", type: "video/mp4", make: actionCamera },
];

/** The file has a preview, maker notes, and a thumbnail in the second directory. */
async function withThumbnail(): Promise<Buffer> {
  const thumbnail = await photo(32, 24).jpeg().toBuffer();
  const exif = { IFD0: { Make: "Canon" }, IFD3: { GPSLatitude: "48/1 0/1 0/1", GPSLatitudeRef: "N" } };
  const source = await picture().withExif(exif).jpeg().toBuffer();
  const { mkdtemp, rm, writeFile } = await import("node:fs/promises");
  const folder = await mkdtemp("/tmp/thumbnail-");
  try {
    await writeFile(`${folder}/t.jpg`, thumbnail);
    return await withTags(source, "a.jpg", `-ThumbnailImage<=${folder}/t.jpg`, ...ALL);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function animation(format: "gif" | "webp"): Promise<Buffer> {
  const frames = await Promise.all(
    [0, 1, 2].map((i) =>
      photo(40 + i, 30)
        .resize(40, 30)
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .toFormat(format, { loop: 2 })
    .toBuffer();
}

async function pixels(bytes: Uint8Array): Promise<Buffer> {
  return sharp(bytes, { animated: true }).raw().toBuffer();
}

/** Sizes of parts that cut the structures in all ways. */
const CUTS = [{}, { pieceBytes: 1000 }, { partBytes: [700], pieceBytes: 300 }, { partBytes: [1013], pieceBytes: 7 }];

/** The different results of all cuts; most cuts give the same. */
async function scrubAll(source: Buffer, type: MediaType): Promise<Buffer[]> {
  const results: Buffer[] = [];
  for (const mode of ["private", "none"] as const) {
    for (const cut of CUTS) {
      const scrubbed = await scrub(source, type, mode, cut);
      if (!results.some((other) => other.equals(scrubbed))) results.push(scrubbed);
    }
  }
  return results;
}

async function expectNoPlace(source: Buffer, results: readonly Buffer[], name: string): Promise<void> {
  const [before, ...after] = (await readAllTags([source, ...results], name)).map(privateTags);
  expect(before).not.toEqual([]);
  expect(after).toEqual(results.map(() => []));
}

describe("Scrubbed files, private and none", () => {
  it.each(PICTURES)("exiftool finds no place in a scrubbed picture, and pixels are equal: $name", async (sample) => {
    const source = await sample.make();
    const results = await scrubAll(source, sample.type);
    await expectNoPlace(source, results, sample.name);
    const shown = await pixels(source);
    const before = await sharp(source).metadata();
    for (const scrubbed of results) {
      expect(scrubbed.length).toBe(source.length);
      expect((await pixels(scrubbed)).equals(shown)).toBe(true);
    }
    for (const mode of ["private", "none"] as const) {
      const after = await sharp(await scrub(source, sample.type, mode)).metadata();
      for (const fact of ["orientation", "icc", "density", "loop", "delay", "pages"] as const) {
        expect(after[fact]).toEqual(before[fact]);
      }
    }
  });

  it.each(FILMS)("exiftool finds no place in a scrubbed film, and frames are equal: $name", async (sample) => {
    const source = await sample.make();
    const results = await scrubAll(source, sample.type);
    await expectNoPlace(source, results, sample.name);
    const frames = await hashFrames(source);
    expect(frames.length).toBeGreaterThan(500);
    for (const scrubbed of results) {
      expect(scrubbed.includes("+48.2082")).toBe(false);
      expect(scrubbed.length).toBe(source.length);
      expect(await hashFrames(scrubbed)).toBe(frames);
    }
  });
});

it("A private picture keeps times, maker, title and creator", async () => {
  const [sample] = PICTURES;
  const scrubbed = await scrub((await sample?.make()) ?? Buffer.of(), "image/jpeg", "private");
  const tags = Object.entries(await readTags(scrubbed, "a.jpg")).map(
    ([name, value]) => `${name.split(":").at(-1)}=${value}`,
  );
  for (const tag of ["Make=Canon", "DateTimeOriginal=2024:05:06 07:08:09", "Title=A title", "By-line=Jane"]) {
    expect(tags).toContain(tag);
  }
});

it("A private film keeps its times, maker and title, and a film without metadata loses its times", async () => {
  const values = async (mode: "private" | "none") =>
    JSON.stringify(await readTags(await scrub(await phoneMov(), "video/quicktime", mode), "a.mov"));
  expect(await values("private")).toContain("Apple");
  expect(await values("private")).toContain("2024:05:06");
  expect(await values("none")).not.toContain("Apple");
  expect(await values("none")).not.toContain("2024:05:06");
  const titled = await scrub(await plainMp4(), "video/mp4", "private");
  expect(JSON.stringify(await readTags(titled, "a.mp4"))).toContain("Trip");
});

describe("files of two parts", () => {
  const PLACE = "48.208174N016.373819E";
  const be32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
  const le32 = (value: number) => be32(value).reverse();
  const chunk = (type: string, content: string) => {
    const bytes = Buffer.from(type + content, "latin1");
    return Buffer.concat([be32(bytes.length - 4), bytes, be32(crc32(bytes))]);
  };
  const packet =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:exif="http://ns.adobe.com/exif/1.0/">' +
    `<exif:GPSLatitude>${PLACE}</exif:GPSLatitude></x:xmpmeta>`;
  const segment = (marker: number, content: string) =>
    Buffer.concat([Buffer.from([0xff, marker, 0, content.length + 2]), Buffer.from(content, "latin1")]);
  const riff = (type: string, content: string) =>
    Buffer.concat([Buffer.from(type), le32(content.length), Buffer.from(content)]);
  /** Puts metadata after the first bytes of a picture. */
  const into = async (picture: Promise<Buffer>, at: number, ...metadata: Buffer[]) => {
    const bytes = await picture;
    return Buffer.concat([bytes.subarray(0, at), ...metadata, bytes.subarray(at)]);
  };
  const small = () => photo(8, 8);
  const samples: readonly Sample[] = [
    {
      name: "a.png",
      type: "image/png",
      make: () =>
        into(
          small().png().toBuffer(),
          33,
          chunk("tEXt", `exif:GPSLatitude\0${PLACE}`),
          chunk("iTXt", `XML:com.adobe.xmp\0\0\0\0\0${packet}`),
          chunk("prVt", PLACE),
        ),
    },
    {
      name: "a.jpg",
      type: "image/jpeg",
      make: () =>
        into(
          small().jpeg().toBuffer(),
          2,
          segment(0xfe, PLACE),
          segment(0xe1, PLACE),
          segment(0xe4, PLACE),
          segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${packet}`),
        ),
    },
    {
      name: "a.webp",
      type: "image/webp",
      make: async () =>
        Buffer.concat([await small().webp().toBuffer(), riff("XMP ", `${packet} `), riff("PRVT", `${PLACE} `)]),
    },
    {
      name: "a.gif",
      type: "image/gif",
      make: () =>
        into(
          small().gif({ colours: 2 }).toBuffer(),
          13 + 6,
          Buffer.from(`!\xfe${String.fromCharCode(PLACE.length)}${PLACE}\0`, "latin1"),
        ),
    },
  ];

  it.each(samples)("No part of a place is left at any cut of a file into two parts: $name", async ({ type, make }) => {
    const source = await make();
    for (let cut = 1; cut < source.length; cut++) {
      const scrubbed = await scrub(source, type, "none", { partBytes: [cut, source.length] });
      for (let at = 0; at + 4 <= PLACE.length; at++) expect(scrubbed.includes(PLACE.slice(at, at + 4))).toBe(false);
      if (type === "image/png") expectSoundChunks(scrubbed);
    }
  });

  it.each(["private", "none"] as const)(
    "A cut changes at most the chunk of a PNG that it is in, and all CRCs are right: %s",
    async (mode) => {
      const source = await into(
        small().png().toBuffer(),
        33,
        chunk("eXIf", exifWithPlace(6).toString("latin1")),
        chunk("tEXt", "Comment\0A comment"),
        chunk("tEXt", `exif:GPSLatitude\0${PLACE}`),
        chunk("zTXt", `Comment\0\0${deflateSync("A comment").toString("latin1")}`),
        chunk("iTXt", `XML:com.adobe.xmp\0\0\0\0\0${packet}`),
        chunk("prVt", PLACE),
      );
      const whole = await scrub(source, "image/png", mode);
      expectSoundChunks(whole);
      for (let cut = 1; cut < source.length; cut++) {
        const scrubbed = await scrub(source, "image/png", mode, { partBytes: [cut, source.length] });
        expectSoundChunks(scrubbed);
        for (let at = 8; at < source.length; ) {
          const end = at + 12 + source.readUInt32BE(at);
          const isSame = scrubbed.subarray(at, end).equals(whole.subarray(at, end));
          // Metadata of two parts is emptied instead of edited.
          const isEmptied = at < cut && cut < end - 4 && !scrubbed.subarray(at + 8, end - 4).some((byte) => byte !== 0);
          expect(isSame || isEmptied).toBe(true);
          at = end;
        }
      }
    },
  );

  it("A picture that begins in front of a cut, behind unknown bytes, is found", async () => {
    const picture = await small().jpeg().toBuffer();
    const source = Buffer.concat([picture, Buffer.alloc(20, "unknown"), picture]);
    const whole = await scrub(source, "image/jpeg", "none");
    expect(whole.subarray(-picture.length).equals(await scrub(picture, "image/jpeg", "none"))).toBe(true);
    for (let cut = picture.length; cut < picture.length + 40; cut++) {
      const scrubbed = await scrub(source, "image/jpeg", "none", { partBytes: [cut, source.length] });
      expect(scrubbed.subarray(-picture.length).equals(whole.subarray(-picture.length))).toBe(true);
    }
  });

  function expectSoundChunks(png: Buffer): void {
    for (let at = 8; at < png.length; ) {
      const end = at + 8 + png.readUInt32BE(at);
      expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
      at = end + 4;
    }
  }
});
