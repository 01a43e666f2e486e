import { Connection } from "../../client/connection.ts";
import type { Updated } from "../../client/index.ts";
import { pacedFetch } from "./paced-fetch.ts";

// Points of the service that its client has no methods for yet.

const connection = new Connection({ baseUrl: location.origin, fetch: pacedFetch });

export interface Timeline {
  readonly total: number;
  /** The newest first; `key` is a month, YYYY-MM. */
  readonly buckets: readonly { readonly key: string; readonly count: number }[];
}

export interface TagCount {
  readonly tag: string;
  readonly count: number;
}

export function readTimeline(query: object, signal: AbortSignal): Promise<Timeline> {
  return connection.call("GET", "/images/timeline", { query, signal });
}

export async function listTags(query: object, signal: AbortSignal): Promise<readonly TagCount[]> {
  return (await connection.call<{ tags: TagCount[] }>("GET", "/tags", { query, signal })).tags;
}

/** @param verb of `/images/bulk-...` @param body with a `filter` in place of `ids` */
export function changeByFilter(verb: string, body: object): Promise<Updated & { readonly nextCursor?: string | null }> {
  return connection.call("POST", `/images/bulk-${verb}`, { body, repeatable: true });
}

interface BulkDeleted {
  readonly deleted: number;
  readonly failed: readonly { readonly _id: string; readonly error: string; readonly statusCode: number }[];
}

/** @param ids at most 100 */
export function deleteAll(ids: readonly string[]): Promise<BulkDeleted> {
  return connection.call("POST", "/images/bulk-delete", { body: { ids }, repeatable: true });
}
