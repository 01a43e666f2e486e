import { expect } from "vitest";
import { type TestFile, type UploadResult, upload } from "../api/api.ts";
import { multipartBody, utf8 } from "../uploads/multipart.ts";
import { postMultipart } from "../uploads/post-multipart.ts";
import { uploadMany } from "./api.ts";
import { fileNumber, TAGS } from "./fixture.ts";
import type { LibraryModel } from "./model.ts";
import { pick, type Random } from "./random-query.ts";

const WORDS = ["beach", "Beach Ball", "100%", "it's", "(draft)", "Émile", "ΣΊΣΥΦΟΣ", "写真", "AND", "x"];
const NO_MEDIA = utf8("Neither an image nor a video");

/** Random uploads, accepted and refused, on the account and on its model. */
export function randomUploads(token: string, model: LibraryModel, random: Random): (() => Promise<void>)[] {
  let number = 0;
  const nextFile = () => {
    number += 1;
    return fileNumber(number, pick(random, WORDS));
  };
  const nextFiles = (): TestFile[] => Array.from({ length: 1 + random(5) }, nextFile);
  const fields = () => ({
    folderId: pick(random, ["root", ...model.folderIds]),
    tags: TAGS.filter(() => random(5) === 0).join(","),
  });
  const refused = async (status: number, files: TestFile[], more: Record<string, string>) => {
    expect((await upload(token, files, more)).status).toBe(status);
  };

  return [
    async function store() {
      model.store(await uploadMany(token, nextFiles(), fields()));
    },
    async function storeAllButOne() {
      const files = [nextFile(), { name: "notes.txt", bytes: NO_MEDIA }, nextFile()];
      const response = await upload(token, files, fields());
      expect(response.status).toBe(201);
      const { uploaded, failed } = await response.json<{ uploaded: UploadResult[]; failed: unknown[] }>();
      expect([uploaded.length, failed.length]).toEqual([2, 1]);
      model.store(uploaded);
    },
    async function failToStore() {
      const unknown = "01hzy3v7k9q4r5s6t7v8w9x0ya";
      const tooMany = Array.from({ length: 51 }, (_, i) => `${i}`).join(",");
      await pick(random, [
        () => refused(404, nextFiles(), { folderId: unknown }),
        () => refused(400, nextFiles(), { tags: tooMany }),
        () => refused(415, [{ name: "x.png", bytes: NO_MEDIA }], fields()),
        () => refused(400, [{ name: "x.png", bytes: new Uint8Array() }], fields()),
        breakOff,
      ])();
    },
  ];

  /** A body that breaks off in the middle: the files before the break are not kept either. */
  async function breakOff(): Promise<void> {
    const parts = [nextFile(), nextFile()].map(({ name, bytes }) => ({ name: "file", filename: name, content: bytes }));
    const body = multipartBody("edge", parts);
    const response = await postMultipart(token, body.subarray(0, random(body.length - 20)));
    expect(response.status).toBe(400);
  }
}
