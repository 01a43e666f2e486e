import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import { keyOfOwnUploads } from "../../domain/principal.ts";
import type { StoredItem } from "../../meter/imports/import.ts";
import type { StoredImport } from "../../meter/imports/stored-import.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

/** The account's imports, newest first. A key that can only upload sees only its own imports. */
export function listImports(account: AccountContext, query: PageQuery): Promise<Page<StoredImport>> {
  const { accountId, meter, principal } = account;
  const importerId = keyOfOwnUploads(principal);
  return readPage(account, query, {
    list: { name: "listImports", accountId, filters: { importerId } },
    read: (after: [id: string] | undefined, limit) => meter.listImports({ before: after?.[0], limit, importerId }),
    positionOf: ({ id }) => [id],
  });
}

/**
 * An import with a page of its items, in the order of its request.
 * @throws ServiceError 400, 404
 */
export async function getImport(
  account: AccountContext,
  id: string,
  query: PageQuery,
): Promise<{ readonly found: StoredImport; readonly items: Page<StoredItem> }> {
  const { accountId, meter, principal } = account;
  let found: StoredImport | undefined;
  const items = await readPage(account, query, {
    list: { name: "getImport", accountId, filters: { id } },
    read: async (after: [number: number] | undefined, limit): Promise<StoredItem[]> => {
      const read = isId(id)
        ? await meter.findImport(id, { after: after?.[0], limit }, keyOfOwnUploads(principal))
        : undefined;
      found = read?.found;
      return read?.items ?? [];
    },
    positionOf: ({ number }) => [number],
  });
  if (found === undefined) throw ERRORS.ImportNotFound();
  return { found, items };
}

/** Stops an import. Its stored files stay. @throws ServiceError 404 */
export async function stopImport({ meter, principal }: AccountContext, id: string): Promise<StoredImport> {
  const stopped = isId(id) ? await meter.stopImport(id, keyOfOwnUploads(principal)) : undefined;
  if (stopped === undefined) throw ERRORS.ImportNotFound();
  return stopped;
}
