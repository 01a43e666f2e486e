import { describe, expect, it } from "vitest";
import {
  type ExportedUpload,
  LIST_FRAME,
  listFiles,
  toListItem,
} from "../../../src/dashboard/settings/export-files.ts";
import { parseQuality, savingInWords } from "../../../src/dashboard/settings/quality.ts";

it.each([
  ["50", 50],
  [" 65 ", 65],
  ["100", 100],
  ["49", undefined],
  ["101", undefined],
  ["6.5e1", undefined],
  ["65.5", undefined],
  ["-60", undefined],
  ["", undefined],
])("A quality typed as %j is %s", (text, quality) => {
  expect(parseQuality(text)).toBe(quality);
});

it("A file's reduction is shown only if it became smaller", () => {
  expect(savingInWords(4_100_000, 1_200_000, "en-US")).toBe("70% smaller");
  expect(savingInWords(1000, 995, "en-US")).toBe("< 1% smaller");
  expect(savingInWords(1000, 1, "en-US")).toBe("99% smaller");
  expect(savingInWords(1000, 1000, "en-US")).toBeUndefined();
});

const UPLOAD: ExportedUpload = {
  type: "upload",
  _id: "01abc",
  url: "https://cdn.example/uploads/a/01abc-photo.jpg",
  thumbnailUrl: null,
  filename: "01abc-photo.jpg",
  originalFilename: "photo.jpg",
  fileSize: 1200,
  originalFileSize: 4100,
  sha256: null,
  compressed: true,
  compressionQuality: 65,
  mimeType: "image/jpeg",
  size: { width: 4, height: 3 },
  thumbHash: null,
  dominantColor: null,
  folderId: null,
  tags: ["beach", "sea side"],
  visibility: "public" as const,
  externalId: null,
  alt: null,
  metadata: null,
  expiresAt: null,
  takenAt: null,
  camera: null,
  lens: null,
  exposure: null,
  location: null,
  focalPoint: null,
  createdAt: "2026-11-21T10:00:00.000Z",
  status: "active",
  favorite: false,
  history: [],
};

describe("File lists", () => {
  it("A CSV list has a line for each file, in the order of its header", () => {
    const head = LIST_FRAME.csv.before.trim().replace("\uFEFF", "").split(",");
    expect(toListItem(UPLOAD, "csv")).toBe(
      '01abc,https://cdn.example/uploads/a/01abc-photo.jpg,photo.jpg,image/jpeg,1200,4100,4,3,,"beach,sea side",false,active,2026-11-21T10:00:00.000Z',
    );
    expect(head).toHaveLength(13);
  });

  it.each([
    ['say "hi", twice.jpg', '"say ""hi"", twice.jpg"'],
    ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
    ["+1.jpg", "'+1.jpg"],
    ["two\nlines.jpg", '"two\nlines.jpg"'],
  ])("A CSV list quotes names and disarms spreadsheet formulas (%j)", (originalFilename, cell) => {
    expect(toListItem({ ...UPLOAD, originalFilename }, "csv")).toContain(`photo.jpg,${cell},image/jpeg`);
  });

  it("A JSON list is valid JSON for any number of files", () => {
    const { before, between, after } = LIST_FRAME.json;
    for (const count of [0, 1, 3]) {
      const items = Array.from({ length: count }, () => toListItem(UPLOAD, "json"));
      expect(JSON.parse(before + items.join(between) + after)).toHaveLength(count);
    }
  });

  it("A list reads no further than the last file, and detects an export that broke off", async () => {
    async function* lines(...types: string[]) {
      for (const type of types) yield { ...UPLOAD, type } as never;
      read = "all";
    }
    let read = "some";
    const walk = async (...types: string[]) => {
      let count = 0;
      for await (const _ of listFiles(lines(...types))) count += 1;
      return count;
    };
    await expect(walk("account", "upload", "upload", "operation", "end")).resolves.toBe(2);
    expect(read).toBe("some");
    await expect(walk("account", "end")).resolves.toBe(0);
    await expect(walk("account", "upload")).rejects.toThrow("incomplete");
  });
});
