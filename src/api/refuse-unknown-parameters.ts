import type { MiddlewareHandler } from "hono";
import { ERRORS } from "../domain/errors.ts";
import type { AppEnv } from "./app-env.ts";

/** A client may send any number of parameters, and names of any length. */
const MOST_NAMED = 20;
const LONGEST_NAME = 64;
/** The largest distance, in edits of one character, between an unknown name and a suggested one. */
const MOST_EDITS = 2;

/**
 * Refuses unknown query parameters, and suggests the nearest known name (SVC-8).
 * @throws ServiceError 400 `invalid_query`
 */
export function refuseUnknownParameters(url: string, known: readonly string[]): void {
  if (!url.includes("?")) return;
  const unknown = new Set<string>();
  for (const name of new URL(url).searchParams.keys()) {
    if (!known.includes(name)) unknown.add(name.slice(0, LONGEST_NAME));
    if (unknown.size === MOST_NAMED) break;
  }
  if (unknown.size === 0) return;
  throw ERRORS.InvalidQuery(Object.fromEntries(Array.from(unknown, (name) => [name, describe(name, known)])));
}

/** The guard of an endpoint, followed by the check of its query. */
export function thenKnownParameters(
  guard: MiddlewareHandler<AppEnv>,
  known: readonly string[],
): MiddlewareHandler<AppEnv> {
  return (c, next) =>
    guard(c, () => {
      refuseUnknownParameters(c.req.url, known);
      return next();
    });
}

function describe(name: string, known: readonly string[]): string {
  const lower = name.toLowerCase();
  const nearest = known
    .map((each) => ({ each, edits: countEdits(lower, each.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits)[0];
  if (nearest === undefined || nearest.edits > Math.min(MOST_EDITS, nearest.each.length - 2))
    return "Unknown parameter";
  return `Unknown parameter; did you mean \`${nearest.each}\`?`;
}

/** The Levenshtein distance of two short texts. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1) {
      const replaced = (row[to] ?? 0) + (one[at] === other[to] ? 0 : 1);
      next.push(Math.min(replaced, (next[to] ?? 0) + 1, (row[to + 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
