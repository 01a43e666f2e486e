import { Db } from "../client.ts";
import type { Retry } from "../session.ts";

/** The database that says who has an account, by which keys, and in which shard its library is. */
export class Directory extends Db {
  readonly kind = "directory";
}

/** @param retry how failures that may pass are answered; by default they are the caller's */
export function openDirectory({ DB }: { readonly DB: D1Database }, retry: Retry = (attempt) => attempt()): Directory {
  return new Directory(DB, retry);
}
