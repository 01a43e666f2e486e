import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { bearer, call, openAccount, openProAccount, type UploadResult, upload, uploadOne } from "../support/api.ts";
import { bytesOf, gif, jpeg, mp4, png } from "../support/samples.ts";

describe("POST /images/upload", () => {
  it("answers one file with the bare upload result of the specification", async () => {
    const account = await openAccount();
    const bytes = png(3, 2, 1234);
    const response = await upload(account.uploadKey, [{ name: "holiday.png", bytes }]);
    expect(response.status).toBe(201);
    const result = await response.json<UploadResult>();
    const key = `uploads/${account.id}/${result._id}-holiday.png`;
    expect(result).toEqual({
      _id: expect.stringMatching(/^[0-9a-z]{26}$/),
      url: `https://media.example/${key}`,
      filename: key,
      originalFilename: "holiday.png",
      fileSize: 1234,
      originalFileSize: 1234,
      compressed: false,
      mimeType: "image/png",
      size: { width: 3, height: 2 },
      folderId: null,
      tags: [],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const object = await env.FILES.get(key);
    expect(new Uint8Array(await object!.arrayBuffer())).toEqual(bytes);
  });

  it("stores a file larger than a part byte for byte", async () => {
    const account = await openAccount();
    const bytes = mp4(13_000_001);
    const result = await uploadOne(account.uploadKey, { name: "clip.mp4", bytes });
    expect(result.fileSize).toBe(bytes.length);
    const object = await env.FILES.get(result.filename);
    expect(Buffer.compare(Buffer.from(await object!.arrayBuffer()), Buffer.from(bytes))).toBe(0);
    expect(result.thumbnailUrl).toBe(`https://media.example/uploads/${account.id}/thumbs/${result._id}-thumb.jpg`);
  });
});
