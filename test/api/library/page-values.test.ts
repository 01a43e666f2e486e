import { expect, it } from "vitest";
import type { Upload } from "../../../src/db/library/schema.ts";
import { findUpload, insertUploads } from "../../../src/db/library/uploads.ts";
import { listUploads } from "../../../src/db/listing/list-uploads.ts";
import { insertFolder } from "../../support/api/account-state.ts";
import { openAccount } from "../../support/api/api.ts";
import { libraries } from "../../support/api/databases.ts";
import { NOW, newUpload } from "../../support/uploads/new-upload.ts";

const library = libraries.open("00");
const inTurn = <T>(work: () => Promise<T>) => work();
const slice = { limit: 10, offset: 0 };
const filter = { status: "active", tags: [], excludedTags: [] } as const;

/** Every column has a value of its own. */
const FACTS = {
  mimeType: "video/mp4",
  sizeBytes: 4_294_967_296,
  originalSizeBytes: 4_294_967_297,
  compressionQuality: 65,
  width: 4032,
  height: 3024,
  favorite: true,
  tags: ['a "quoted" tag', "été"],
  durationMs: 1234,
  thumbnailSizeBytes: 4321,
  thumbnailError: "an error",
  takedown: { id: "one", at: NOW, reason: "a reason" },
  placeholder: { thumbHash: "1QcSHQRnh493V4dIh4eXh1h4kJUI", dominantColor: "#4a7ebf" },
  visibility: "private",
  externalId: "order 7",
  metadata: '{"a":[1,2.5,null]}',
  alt: "A picture",
  expiresAt: NOW + 1,
  takenAt: NOW - 1,
  camera: "a camera",
  lens: "a lens",
  exposure: { shutterSeconds: 0.004, aperture: 2.8, iso: 100, focalLengthMm: null },
  sha256: "0a".repeat(32),
  uploadedSha256: "0b".repeat(32),
  revision: 3,
  focalPoint: { x: 0.25, y: 0.5 },
  uploadedBy: "session",
  location: { latitude: 52.5, longitude: -13.4 },
} satisfies Partial<Upload>;

it("A page has every column of an upload as the upload's own row has it", async () => {
  const { id: accountId } = await openAccount("free", "00");
  const folderId = await insertFolder(accountId);
  const full = newUpload(accountId, { ...FACTS, folderId });
  const empty = newUpload(accountId, { folderId, createdAt: NOW - 1 });
  await insertUploads(library, [full, empty]);
  const expected = await Promise.all([full, empty].map(({ id }) => findUpload(library, accountId, id)));
  expect(expected[0]).toEqual(full);
  const listing = await listUploads({ library, accountId, filter: { ...filter, folderId }, slice }, inTurn);
  expect(listing).toEqual({ rows: expected, total: 2, next: null });
});

it("A page after the last one has the total, and a folder without uploads has none", async () => {
  const { id: accountId } = await openAccount("free", "00");
  await insertUploads(library, [newUpload(accountId), newUpload(accountId)]);
  const query = { library, accountId, filter: { ...filter, folderId: null }, slice: { limit: 1, offset: 7 } };
  expect(await listUploads(query, inTurn)).toEqual({ rows: [], total: 2, next: null });
  const folderId = await insertFolder(accountId);
  const inFolder = (id: string) => listUploads({ ...query, filter: { ...filter, folderId: id } }, inTurn);
  expect(await inFolder(folderId)).toEqual({ rows: [], total: 0, next: null });
  expect(await inFolder("unknown")).toBeUndefined();
});
