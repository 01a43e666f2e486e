import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { openLibraries } from "../../../src/db/library/library.ts";
import { LAST_STEP, setLibraryState } from "../../../src/db/library/library-state.ts";
import { newId } from "../../../src/domain/ids.ts";
import { fileKey } from "../../../src/domain/object-key.ts";
import { commitUploads, type FileResult } from "../../../src/services/uploads/commit/commit-uploads.ts";
import type { UploadRun } from "../../../src/services/uploads/upload-run.ts";
import { openAccount } from "../../support/api/api.ts";

const FIELDS = { folderId: null, tags: [] } as unknown as Parameters<typeof commitUploads>[2];

/** An upload whose file is stored. Its account is erased when the meter is called to `settle` it, or before. */
async function commitWhileErased(when: "before its row" | "before it is settled"): Promise<unknown> {
  const { id: accountId } = await openAccount("free", "00");
  const library = openLibraries(env).open("00", async () => "00");
  const uploadId = newId(Date.now());
  const objectKey = fileKey(accountId, uploadId, "a.png");
  const erase = () => setLibraryState(openLibraries(env).open("00"), { accountId, movedAt: LAST_STEP }, "left");
  const settleUploads = async () => {
    await erase();
    return { missing: [uploadId] };
  };
  const file = {
    uploadId,
    objectKey,
    originalFilename: "a.png",
    mimeType: "image/png",
    sizeBytes: 7,
    originalSizeBytes: 7,
    compressionQuality: null,
    width: 1,
    height: 1,
    createdAt: Date.now(),
    placeholder: "none",
  };
  const principal = { kind: "session", accountId, sessionId: "1" };
  const account = { library, accountId, principal, files: env.FILES, meter: { settleUploads }, operations: 0 };
  const run = { account, open: { takeAll: () => [{ uploadId, objectKeys: [objectKey] }] } } as unknown as UploadRun;
  if (when === "before its row") await erase();
  return commitUploads(run, [{ file }] as unknown as FileResult[], FIELDS).catch((error: unknown) => error);
}

it.each(["before its row", "before it is settled"] as const)(
  "An upload whose account is erased %s is 401, like every request from then on",
  async (when) => {
    expect(await commitWhileErased(when)).toMatchObject({ statusCode: 401 });
  },
);
