import { sumStoredBytes } from "../../db/library/compare/sum-stored.ts";
import type { AccountBooks } from "../account-books.ts";
import type { Comparison } from "./comparison.ts";
import type { Finding } from "./finding.ts";

/** One statement takes milliseconds: an account that is never still for so long is left for another night. */
const ATTEMPTS = 10;
const PAUSE_MS = 50;

/**
 * Compares the storage used with what the rows and the thumbnails add up to. An upload that is not settled is not in the figure, whether
 * it has a row or not; one that is being deleted still is. While the rows are added up nothing may change, else they are added up again.
 * @returns undefined where the account was never still
 */
export async function compareFigures({ stores, books, repair }: Comparison): Promise<Finding[] | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = snapshot(books);
    const underWay = books.intents.listOf("upload", "delete").map(({ intent }) => intent);
    const ids = underWay.flatMap((intent) => ("uploadId" in intent ? [intent.uploadId] : []));
    const rowBytes = await sumStoredBytes(stores.library, stores.accountId, ids);
    if (snapshot(books) !== before) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Math.random()));
      continue;
    }
    const deletingBytes = underWay.reduce((sum, intent) => sum + (intent.kind === "delete" ? intent.sizeBytes : 0), 0);
    const expected = rowBytes + deletingBytes + books.thumbnails.totalBytes();
    const found = books.ledger.storageBytes;
    if (expected === found) return [];
    if (repair) books.ledger.addStorage(expected - found);
    return [{ kind: "storage-figure", detail: `${found}, not ${expected}`, repaired: repair }];
  }
  return undefined;
}

function snapshot({ intents, ledger }: AccountBooks): string {
  const open = intents.listOf("upload", "delete", "move", "erase").map(({ id }) => id);
  return JSON.stringify([ledger.storageChanges, ledger.storageBytes, ledger.shard, open]);
}
