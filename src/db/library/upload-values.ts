import { type SQL, sql } from "drizzle-orm";
import type { Upload } from "./schema.ts";
import { uploadColumns } from "./uploads.ts";

const columns = Object.entries(uploadColumns);

/**
 * The columns of an upload in a statement from `uploads` whose rows are read as values (`Library.values`). D1's binding makes an object of each
 * row of a batch, and drizzle makes an array of that object again.
 */
export const uploadValues: SQL = sql.raw(columns.map(([, { name }]) => name).join(", "));

/** Most values need no decoder. */
const decoders = columns.map(([name, column]) => {
  const isStored = column.dataType !== "json" && column.dataType !== "boolean";
  return { name, decode: isStored ? undefined : (value: unknown) => column.mapFromDriverValue(value as never) };
});

/**
 * An upload without values. A copy of it has its fields at fixed places. V8 makes a slower map of an object that gets its fields one by one
 * in a loop, and of the result of `Object.fromEntries`.
 */
const EMPTY: Readonly<Record<string, unknown>> = JSON.parse(`{${columns.map(([name]) => `"${name}":null`)}}`);

/** @param values of `uploadValues`, from the position `from` */
export function toUpload(values: readonly unknown[], from: number): Upload {
  const upload: Record<string, unknown> = { ...EMPTY };
  let at = from;
  for (const { name, decode } of decoders) {
    const value = values[at++];
    upload[name] = value === null || decode === undefined ? value : decode(value);
  }
  return upload as unknown as Upload;
}
