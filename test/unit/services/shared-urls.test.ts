import { expect, it } from "vitest";
import type { Services } from "../../../src/services/context.ts";
import type { Upload } from "../../../src/services/records.ts";
import { openSharedUrls } from "../../../src/services/shares/shared-urls.ts";

const ACCOUNT = "01k9x3v7wz0000000000000001";
const UPLOAD = "01k9x3v7wz0000000000000002";
const SECRET = { current: "a secret of the tests", accepted: ["a secret of the tests"] };

it("The picture of a replaced video is the thumbnail of its present bytes", async () => {
  const config = {
    apiOrigin: "https://api.example",
    cdnUrl: "https://cdn.example",
    previewSecret: SECRET,
    urlSigningSecret: SECRET,
  } as unknown as Services["config"];
  const urlsOf = await openSharedUrls(
    { config, now: () => 1_800_000_000_000 },
    { accountId: ACCOUNT, share: { expiresAt: null } },
  );
  const objectKey = `uploads/${ACCOUNT}/${UPLOAD}.0000000a-film.mp4`;
  const film = {
    id: UPLOAD,
    objectKey,
    mimeType: "video/mp4",
    originalFilename: "film.mp4",
    thumbnailSizeBytes: 5,
    visibility: "public",
  } as Upload;
  const { previewUrl } = await urlsOf(film);
  expect(new URL(previewUrl ?? "").pathname).toBe(`/uploads/${ACCOUNT}/thumbs/${UPLOAD}.0000000a-thumb.jpg`);
});
