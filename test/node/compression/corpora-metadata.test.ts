import { beforeAll, describe, expect, it } from "vitest";
import { fuzzCorpus } from "../../support/jpeg/fuzz-corpus.ts";
import { makeLenientJpegs } from "../../support/jpeg/lenient-jpegs.ts";
import { RARE_JPEGS } from "../../support/jpeg/rare-jpegs.ts";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { photo } from "../../support/media/pictures.ts";
import { privateTags, readAllTags, tagAll } from "../../support/metadata/exiftool.ts";
import { ODD_GIFS } from "../../support/odd-files/odd-gifs.ts";
import { makeOddJpegs } from "../../support/odd-files/odd-jpegs.ts";
import { ODD_PNGS } from "../../support/odd-files/odd-pngs.ts";
import { makeOddWebps } from "../../support/odd-files/odd-webps.ts";
import type { UploadResult } from "../../support/uploads/upload-result.ts";

// The whole product stores every corpus of pictures with compression on (META-2, COMP-4 to COMP-7). No stored picture has a place, whether the
// product compressed it or not.

const XMP = ["-XMP-exif:GPSLatitude=48.2", "-XMP-photoshop:City=Vienna", "-XMP-aux:SerialNumber=SN9"];
const EXIF = ["-GPSLatitude=48.2", "-GPSLatitudeRef=N", "-EXIF:SerialNumber=SN1", ...XMP];
const AT_ONCE = 4;

let host: CompressionHost;
let account: CompressingAccount;
beforeAll(async () => {
  host = await CompressionHost.shared();
  account = await host.openAccount();
});

const bytesOf = (files: readonly { readonly bytes: Uint8Array }[]) => files.map(({ bytes }) => bytes);
const large = () => photo(640, 480);

const CORPORA: readonly {
  readonly name: string;
  readonly tags: readonly string[];
  /** The least number of files that exiftool can tag. */
  readonly atLeast: number;
  readonly make: () => Promise<Uint8Array[]>;
}[] = [
  {
    name: "a.jpg",
    tags: EXIF,
    atLeast: 20,
    make: async () => [
      ...bytesOf(RARE_JPEGS),
      ...bytesOf(await makeLenientJpegs()),
      ...bytesOf(await makeOddJpegs()),
      ...(await fuzzCorpus()),
    ],
  },
  {
    name: "a.png",
    tags: EXIF,
    atLeast: 10,
    make: async () => [...bytesOf(ODD_PNGS), await large().png({ compressionLevel: 1 }).toBuffer()],
  },
  {
    name: "a.webp",
    tags: EXIF,
    atLeast: 5,
    make: async () => [
      ...bytesOf(await makeOddWebps()),
      await large().webp({ quality: 95 }).toBuffer(),
      await large().webp({ lossless: true, effort: 0 }).toBuffer(),
    ],
  },
  {
    name: "a.gif",
    tags: XMP,
    atLeast: 5,
    make: async () => [...bytesOf(ODD_GIFS), await large().gif({ colours: 64 }).toBuffer()],
  },
];

describe("exiftool finds no place in any stored picture of the corpora", () => {
  it.each(CORPORA)("No stored picture of the corpus $name has a place", async ({ name, tags, atLeast, make }) => {
    const all = await tagAll(await make(), name, ...tags);
    const found = (await readAllTags(all, name)).map(privateTags);
    const tagged = all.filter((_, at) => (found[at]?.length ?? 0) > 0);
    expect(tagged.length).toBeGreaterThanOrEqual(atLeast);
    const stored: Buffer[] = [];
    for (let at = 0; at < tagged.length; at += AT_ONCE)
      stored.push(...(await Promise.all(tagged.slice(at, at + AT_ONCE).map((bytes) => store(bytes, name)))).flat());
    expect(stored.length).toBeGreaterThanOrEqual(atLeast);
    const left = (await readAllTags(stored, name)).flatMap((each) => privateTags(each));
    expect(left).toEqual([]);
  });
});

/** @returns the stored bytes; none if the file is refused */
async function store(bytes: Uint8Array, name: string): Promise<Buffer[]> {
  const answer = await account.upload({ name, bytes });
  if (answer.status >= 400 && answer.status < 500) return [];
  expect(answer.status).toBe(201);
  const { url } = (await answer.json()) as UploadResult;
  const file = await fetch(new URL(new URL(url).pathname, host.stack.url));
  return [Buffer.from(await file.arrayBuffer())];
}
