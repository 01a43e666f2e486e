import { type Library, openLibraries } from "../../../src/db/library/library.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";
import type { AccountContext } from "../../../src/services/context.ts";
import { type ListQuery, listImages } from "../../../src/services/images/list-images.ts";
import { CountedD1 } from "../../support/costs/counted-d1.ts";
import type { Database } from "../library/seed.ts";

/** Lists an account's files as its session does, without a request. */
export async function listFiles(library: Library, accountId: string, query: ListQuery): Promise<void> {
  const account = {
    library,
    accountId,
    config: { jwtSecret: onlySecret("secret") },
    principal: { kind: "session" },
    waitUntil: () => undefined,
  };
  await listImages(account as unknown as AccountContext, query);
}

/** @returns the rows that D1 reads for a page of an account's files */
export async function countRead(db: Database, accountId: string, query: ListQuery): Promise<number> {
  const counted = new CountedD1(db);
  await listFiles(openLibraries({ LIBRARY_00: counted }).open("00"), accountId, query);
  return counted.rowsRead;
}
