import { expect, it } from "vitest";
import { ZipParts } from "../../../../src/dashboard/share-page/zip/zip-parts.ts";
import { uniqueNames } from "../../../../src/domain/unique-names.ts";
import { readZip } from "../../../support/browser/read-zip.ts";

interface File {
  readonly name: string;
  readonly savedName: undefined;
  readonly sizeBytes: number;
}

const file = (name: string, sizeBytes: number): File => ({ name, savedName: undefined, sizeBytes });
const bytesOf = ({ name, sizeBytes }: File) => new Uint8Array(sizeBytes).fill(name.charCodeAt(0));

/** @param gone names of files that are deleted before they are opened */
function zip(files: readonly File[], maxBytes: number, gone: readonly string[] = []) {
  const opened: string[] = [];
  const parts = new ZipParts(
    {
      files: (async function* () {
        yield* files;
      })(),
      open: async (each) => {
        opened.push(each.name);
        if (gone.includes(each.name)) return undefined;
        return { body: new Blob([bytesOf(each)]).stream(), lastModified: new Date(0) };
      },
      onProgress: () => undefined,
    },
    maxBytes,
  );
  return { parts, opened };
}

const read = async (part: ReadableStream<Uint8Array>) =>
  readZip(Buffer.from(await new Response(part as BodyInit).arrayBuffer()));

it("A zip with a limit is made in parts, in which each file is once and whole", async () => {
  const files = [file("a.png", 60), file("b.png", 50), file("huge.mp4", 500), file("c.png", 40), file("a.png", 100)];
  const { parts } = zip(files, 100, ["c.png"]);
  const zips: Map<string, Buffer>[] = [];
  do zips.push(await read(parts.next()));
  while (parts.hasMore);
  expect(zips.map((each) => [...each.keys()])).toEqual([["a.png"], ["b.png"], ["a (2).png"]]);
  expect(zips[2]?.get("a (2).png")).toEqual(Buffer.from(bytesOf(file("a.png", 100))));
  expect(parts.counts).toEqual({ files: 3, bytes: 210, gone: 1, tooLarge: ["huge.mp4"] });
});

it("Files are opened as they are written, at most a few ahead", async () => {
  const { parts, opened } = zip(
    Array.from({ length: 100 }, (_, at) => file(`${at}.png`, 1_000_000)),
    Number.POSITIVE_INFINITY,
  );
  const reader = parts.next().getReader();
  await reader.read();
  await reader.read();
  expect(opened.length).toBeLessThan(6);
  await reader.cancel().catch(() => undefined);
});

it("Equal names get numbers, ignoring case, also by the thousands", () => {
  const nameOf = uniqueNames();
  expect(["a.jpg", "A.jpg", "a (2).jpg", "a.jpg", "b/c\\d", ".hidden", ".hidden"].map(nameOf)).toEqual([
    "a.jpg",
    "A (2).jpg",
    "a (2) (2).jpg",
    "a (3).jpg",
    "b_c_d",
    ".hidden",
    ".hidden (2)",
  ]);
  const names = Array.from({ length: 20_000 }, () => nameOf("image.png"));
  expect(new Set(names).size).toBe(20_000);
  expect(names.at(-1)).toBe("image (20000).png");
});
