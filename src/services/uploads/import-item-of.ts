import type { ImportItemRef } from "../../domain/imports.ts";
import type { AccountContext } from "../context.ts";

/** The item of an import that the upload completes, as its intent and an upload in pieces have it. */
export function importItemOf({ importItem }: AccountContext): { readonly importItem?: ImportItemRef } {
  if (importItem === undefined) return {};
  const { importId, number } = importItem;
  return { importItem: { importId, number } };
}
