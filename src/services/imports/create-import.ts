import { createHash } from "node:crypto";
import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { type Importer, type ImportItemFacts, MAX_OPEN_IMPORTS } from "../../domain/imports.ts";
import { keyOfOwnUploads } from "../../domain/principal.ts";
import { chargeChanges } from "../accounts/charge-changes.ts";
import type { AccountContext } from "../context.ts";

/**
 * Creates an import, whose items are fetched afterwards (IMP-1). A repeat with the same idempotency key gets the same import.
 * @param key the request's idempotency key
 * @returns the import's id
 * @throws ServiceError 400 with too many imports that have not ended, 401 if the account was erased, 403 for upload tokens, 422 if the key was
 * used for other items
 */
export async function createImport(
  account: AccountContext,
  items: readonly ImportItemFacts[],
  key?: string,
): Promise<string> {
  const importer = importerOf(account);
  const creation = await account.meter.createImport({
    id: newId(account.now()),
    importer,
    items,
    ...(key === undefined ? {} : { request: { key: nameOf(importer, key), fingerprint: fingerprintOf(items) } }),
  });
  switch (creation.outcome) {
    case "created":
      await chargeChanges(account, items.length);
      return creation.id;
    case "repeated":
      return creation.id;
    case "reused":
      throw ERRORS.IdempotencyKeyReused();
    case "too-many":
      throw ERRORS.TooManyOf("unfinished imports", MAX_OPEN_IMPORTS);
    case "refused":
      throw ERRORS.InvalidKey();
  }
}

function importerOf({ principal }: AccountContext): Importer {
  if (principal.kind === "upload-token") throw ERRORS.UploadTokenOnly();
  return principal;
}

/** Keys that see only their own imports have idempotency keys of their own. */
function nameOf(importer: Importer, key: string): string {
  return `${keyOfOwnUploads(importer) ?? ""}/${key}`;
}

function fingerprintOf(items: readonly ImportItemFacts[]): string {
  return createHash("sha256").update(JSON.stringify(items)).digest("hex");
}
