import { MAX_OPEN_IMPORTS } from "../../domain/imports.ts";
import type { MeterContext } from "../account/context.ts";
import type { ImportCreation, ImportSlice, ItemSlice, NewImport, StoredItem } from "./import.ts";
import type { StoredImport } from "./stored-import.ts";

/** Imports live only in the account's object, so one transaction creates or stops one. */

export async function createImport(context: MeterContext, creation: NewImport): Promise<ImportCreation> {
  const { storage, tables, load } = context;
  if (!(await load()) || tables.erasing) return { outcome: "refused" };
  const { id, request } = creation;
  return storage.transactionSync((): ImportCreation => {
    const { imports } = tables;
    const now = Date.now();
    // A repeated call.
    if (imports.find(id) !== undefined) return { outcome: "created", id };
    const earlier = request && imports.findRequest(request.key);
    if (earlier !== undefined)
      return earlier.fingerprint === request?.fingerprint
        ? { outcome: "repeated", id: earlier.id }
        : { outcome: "reused" };
    imports.prune(now);
    if (imports.listOpen().length >= MAX_OPEN_IMPORTS) return { outcome: "too-many" };
    imports.add(creation, now);
    tables.importWakes.wake(now);
    return { outcome: "created", id };
  });
}

/** Newest first. */
export async function listImports({ tables, load }: MeterContext, slice: ImportSlice): Promise<StoredImport[]> {
  return (await load()) ? tables.imports.list(slice) : [];
}

/** An import and a page of its items; undefined if there is no such import. @param importerId as in `ImportSlice` */
export async function findImport(
  { tables, load }: MeterContext,
  id: string,
  slice: ItemSlice,
  importerId?: string,
): Promise<{ readonly found: StoredImport; readonly items: StoredItem[] } | undefined> {
  const found = (await load()) ? tables.imports.find(id, importerId) : undefined;
  return found && { found, items: tables.imports.listItems(id, slice) };
}

/**
 * Stops an import: no attempt begins from now on. Items in progress learn it with their next sign of life, and end as cancelled unless
 * their upload is settled before.
 * @param importerId as in `ImportSlice`
 * @returns undefined if there is no such import
 */
export async function stopImport(
  { storage, tables, load }: MeterContext,
  id: string,
  importerId?: string,
): Promise<StoredImport | undefined> {
  if (!(await load()) || tables.imports.find(id, importerId) === undefined) return undefined;
  return storage.transactionSync(() => {
    const now = Date.now();
    tables.imports.stop(id, now);
    tables.imports.endWaiting(id, "cancelled", null, now);
    return tables.imports.find(id);
  });
}
