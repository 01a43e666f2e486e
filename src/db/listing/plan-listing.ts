import type { UploadStatus } from "../../domain/upload-status.ts";
import { type ListingCounts, statusesOf } from "./read-counts.ts";
import { KNOWN_PREFIXES, type UploadFilter } from "./upload-filter.ts";

/** A compound of more would bind more than D1's 100 values. */
const MAX_ARMS = 4;

/** The index that is walked, newest first. */
export type Path =
  | { readonly by: "place" | "favorite" }
  | { readonly by: "tag"; readonly tag: string }
  | { readonly by: "type"; readonly types: readonly { readonly status: UploadStatus; readonly mimeType: string }[] }
  /**
   * `tag`: uploads that have it are shown too. `everywhere`: all that is found is shown, so that its rows need no look.
   */
  | {
      readonly by: "search";
      readonly match: string;
      readonly isPrefix: boolean;
      readonly tag: string | undefined;
      readonly everywhere: boolean;
    };

/** What each upload on the path is asked. */
export interface Conditions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly mimePrefix?: string | undefined;
  readonly minSizeBytes?: number | undefined;
  readonly maxSizeBytes?: number | undefined;
  readonly favorite?: boolean;
  readonly tags: readonly string[];
  readonly excludedTags: readonly string[];
}

export interface Plan {
  readonly statuses: readonly UploadStatus[];
  readonly path: Path;
  readonly conditions: Conditions;
  /** How many uploads are on the path, at most. */
  readonly pathCount: number | undefined;
  /** Where the counts tell it; else the path has to be walked to its end, or what is left out has to be counted. */
  readonly total: number | undefined;
  /** Where nothing else is asked than that none of several tags is there: how many uploads there are with and without. */
  readonly allBut?: number;
  /** Holds only as long as the counts are as they were: what all uploads answer to is not asked. */
  readonly isOfCounts: boolean;
}

/** One thing that the filter asks, and how many uploads answer to it; not known for sizes. */
interface Ask {
  readonly count: number | undefined;
  readonly conditions: Partial<Conditions>;
  readonly path?: Path;
}

const NO_COUNTS: ListingCounts = { all: 0, library: 0, favorite: 0, days: 0, tags: new Map(), types: new Map() };

/** A plan that holds whatever the counts are: of a filter that asks for nothing but a place, the best. */
export function planWithoutCounts(filter: UploadFilter): Plan {
  const { search } = filter;
  const path: Path =
    search?.names.found === "some"
      ? { by: "search", match: search.names.match, isPrefix: search.names.isPrefix, tag: search.tag, everywhere: false }
      : { by: "place" };
  return {
    statuses: statusesOf(filter.status),
    path,
    conditions: mergeConditions(listAsks(filter, NO_COUNTS)),
    pathCount: undefined,
    total: undefined,
    isOfCounts: false,
  };
}

/** Whether two plans show the same uploads in the same way. */
export function isSameWalk(one: Plan, other: Plan): boolean {
  const walked = ({ statuses, path, conditions }: Plan) => JSON.stringify([statuses, path, conditions]);
  return walked(one) === walked(other);
}

/**
 * Chooses the index with the fewest uploads to walk, and leaves out what all uploads answer to.
 * @returns undefined where nothing can match
 */
export function planListing(filter: UploadFilter, counts: ListingCounts): Plan | undefined {
  const { all } = counts;
  const statuses = statusesOf(filter.status);
  const asks = listAsks(filter, counts).filter(({ count }) => count !== all);
  if (all === 0 || asks.some(({ count }) => count === 0)) return undefined;
  const conditions = mergeConditions(asks);
  const { search } = filter;
  if (search?.names.found === "some") {
    const tag = counts.tags.has(search.tag) ? search.tag : undefined;
    const everywhere = asks.length === 0 && all === counts.library;
    const path: Path = { by: "search", match: search.names.match, isPrefix: search.names.isPrefix, tag, everywhere };
    return { statuses, path, conditions, pathCount: counts.library, total: undefined, isOfCounts: true };
  }
  const [only, ...others] = asks;
  const total = only === undefined ? all : others.length === 0 ? only.count : undefined;
  const excludesOnly = asks.length > 1 && asks.every((ask) => ask.conditions.excludedTags !== undefined);
  // Days narrow every path.
  const narrowing = asks.filter(({ path: own, conditions: { from, to } }) => own ?? from ?? to);
  const pathCount = Math.min(all, ...narrowing.map(({ count }) => count ?? all));
  return {
    statuses,
    ...choosePath(asks, conditions),
    pathCount,
    total,
    ...(excludesOnly ? { allBut: all } : {}),
    isOfCounts: true,
  };
}

function mergeConditions(asks: readonly Ask[]): Conditions {
  const tags = asks.flatMap(({ conditions }) => conditions.tags ?? []);
  const excludedTags = asks.flatMap(({ conditions }) => conditions.excludedTags ?? []);
  return Object.assign({}, ...asks.map(({ conditions }) => conditions), { tags, excludedTags });
}

function listAsks(filter: UploadFilter, counts: ListingCounts): Ask[] {
  const { all, favorite } = counts;
  const { from, to, minSizeBytes, maxSizeBytes, search } = filter;
  // Where no name can have the text, a tag still can.
  const tags = new Set([...filter.tags, ...(search?.names.found === "none" ? [search.tag] : [])]);
  const asks: Ask[] = [...tags].map((tag) => ({
    count: counts.tags.get(tag) ?? 0,
    conditions: { tags: [tag] },
    path: { by: "tag", tag },
  }));
  for (const tag of new Set(filter.excludedTags)) {
    asks.push({ count: all - (counts.tags.get(tag) ?? 0), conditions: { excludedTags: [tag] } });
  }
  if (filter.favorite === true)
    asks.push({ count: favorite, conditions: { favorite: true }, path: { by: "favorite" } });
  if (filter.favorite === false) asks.push({ count: all - favorite, conditions: { favorite: false } });
  if (from !== undefined || to !== undefined) asks.push({ count: counts.days, conditions: { from, to } });
  if (minSizeBytes !== undefined || maxSizeBytes !== undefined) {
    asks.push({ count: undefined, conditions: { minSizeBytes, maxSizeBytes } });
  }
  if (filter.mimePrefix !== undefined) asks.push(askType(filter.mimePrefix, counts));
  return asks;
}

function askType(prefix: string, counts: ListingCounts): Ask {
  const known = (type: string) => KNOWN_PREFIXES.some((knownPrefix) => type.startsWith(knownPrefix));
  const matches = (type: string) => (prefix === "other" ? !known(type) : type.startsWith(prefix));
  const types = [...counts.types].flatMap(([status, byType]) =>
    [...byType].filter(([type]) => matches(type)).map(([mimeType, count]) => ({ status, mimeType, count })),
  );
  return {
    count: types.reduce((sum, { count }) => sum + count, 0),
    conditions: { mimePrefix: prefix },
    ...(types.length > MAX_ARMS ? {} : { path: { by: "type", types } }),
  };
}

/** The path asks one of the conditions itself. */
function choosePath(asks: readonly Ask[], conditions: Conditions): Pick<Plan, "path" | "conditions"> {
  const [best] = asks
    .filter(({ path }) => path !== undefined)
    .sort((a, b) => (a.count ?? Number.POSITIVE_INFINITY) - (b.count ?? Number.POSITIVE_INFINITY));
  const path: Path = best?.path ?? { by: "place" };
  if (path.by === "tag") {
    return { path, conditions: { ...conditions, tags: conditions.tags.filter((tag) => tag !== path.tag) } };
  }
  const { favorite, mimePrefix, ...others } = conditions;
  return {
    path,
    conditions: {
      ...others,
      ...(favorite === undefined || path.by === "favorite" ? {} : { favorite }),
      ...(mimePrefix === undefined || path.by === "type" ? {} : { mimePrefix }),
    },
  };
}
