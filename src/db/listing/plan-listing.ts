import type { UploadStatus } from "../../domain/upload-status.ts";
import { type ListingCounts, statusesOf } from "./read-counts.ts";
import type { Match } from "./search-grams.ts";
import { KNOWN_PREFIXES, prefixesOf, type UploadFilter } from "./upload-filter.ts";

/** A compound with more arms would bind more than D1's 100 values. */
const MAX_ARMS = 4;

/** The index that is walked, newest first. */
export type Path =
  | { readonly by: "place" | "favorite" | "takedown" }
  | { readonly by: "tag"; readonly tag: string }
  | { readonly by: "type"; readonly types: readonly { readonly status: UploadStatus; readonly mimeType: string }[] }
  /** `tag`: uploads with this tag are on the path, too. `everywhere`: every found upload is shown, so its row is not read. */
  | {
      readonly by: "search";
      readonly match: Match;
      readonly isPrefix: boolean;
      readonly tag: string | undefined;
      readonly everywhere: boolean;
    };

/**
 * Criteria that no counts and no index have. A listing reads the row of each upload on its path, in bounded steps. An index of its own would
 * cost a written row of every upload.
 */
const UNCOUNTED = [
  "minSizeBytes",
  "maxSizeBytes",
  "takenFrom",
  "takenTo",
  "visibility",
  "camera",
  "orientation",
  "expires",
  "expiresFrom",
  "expiresTo",
  "hasAlt",
] as const satisfies readonly (keyof UploadFilter)[];

/** Conditions that an upload on the path must meet to be shown. */
export interface Conditions extends Pick<UploadFilter, (typeof UNCOUNTED)[number]> {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly mimePrefix?: string | undefined;
  readonly favorite?: boolean;
  readonly takenDown?: boolean;
  readonly sha256?: string;
  readonly tags: readonly string[];
  readonly excludedTags: readonly string[];
}

export interface Plan {
  readonly statuses: readonly UploadStatus[];
  readonly path: Path;
  readonly conditions: Conditions;
  /** The most uploads on the path; undefined if no counts have it. */
  readonly pathCount: number | undefined;
  /** The total, if the counts contain it. Otherwise the whole path is walked, or the excluded uploads are counted. */
  readonly total: number | undefined;
  /** The number of uploads with and without the tags, for filters that only exclude several tags. */
  readonly allBut?: number;
  /** The plan is valid only while the counts stay the same, because it leaves out conditions that all uploads meet. */
  readonly isOfCounts: boolean;
}

/** One criterion of the filter and the number of uploads that meet it, if the counts have it. */
interface Criterion {
  readonly count: number | undefined;
  readonly conditions: Partial<Conditions>;
  readonly path?: Path;
}

const NO_COUNTS: ListingCounts = { all: 0, library: 0, favorite: 0, days: 0, tags: new Map(), types: new Map() };

/** A plan that is valid for all counts. For a filter with only a folder it is the best plan. */
export function planWithoutCounts(filter: UploadFilter): Plan {
  const finding = findingOf(filter);
  const path: Path = finding === undefined ? { by: "place" } : { by: "search", everywhere: false, ...finding };
  return {
    statuses: statusesOf(filter.status),
    path,
    conditions: mergeConditions(listCriteria(filter, NO_COUNTS)),
    pathCount: undefined,
    total: undefined,
    isOfCounts: false,
  };
}

/** Whether two plans list the same uploads in the same way. */
export function isSameWalk(one: Plan, other: Plan): boolean {
  const walked = ({ statuses, path, conditions }: Plan) => JSON.stringify([statuses, path, conditions]);
  return walked(one) === walked(other);
}

/**
 * Chooses the index with the fewest uploads to walk and leaves out conditions that all uploads meet.
 * @returns undefined if nothing can match
 */
export function planListing(filter: UploadFilter, counts: ListingCounts): Plan | undefined {
  const { all } = counts;
  const statuses = statusesOf(filter.status);
  const criteria = listCriteria(filter, counts).filter(({ count }) => count !== all);
  if (all === 0 || criteria.some(({ count }) => count === 0)) return undefined;
  const conditions = mergeConditions(criteria);
  const finding = findingOf(filter);
  if (finding !== undefined) {
    const tag = finding.tag !== undefined && counts.tags.has(finding.tag) ? finding.tag : undefined;
    const everywhere = criteria.length === 0 && all === counts.library;
    const path: Path = { by: "search", ...finding, tag, everywhere };
    return { statuses, path, conditions, pathCount: counts.library, total: undefined, isOfCounts: true };
  }
  const [only, ...others] = criteria;
  const total = only === undefined ? all : others.length === 0 ? only.count : undefined;
  const excludesOnly =
    criteria.length > 1 && criteria.every((criterion) => criterion.conditions.excludedTags !== undefined);
  // Days narrow every path.
  const narrowing = criteria.filter(({ path: own, conditions: { from, to } }) => own ?? from ?? to);
  const pathCount = Math.min(all, ...narrowing.map(({ count }) => count ?? all));
  const chosen = choosePath(criteria, conditions);
  return {
    statuses,
    ...chosen,
    pathCount: chosen.path.by === "takedown" ? undefined : pathCount,
    total,
    ...(excludesOnly ? { allBut: all } : {}),
    isOfCounts: true,
  };
}

/** The search that an index answers: for names or, without one, for bytes. */
function findingOf({ search, sha256 }: UploadFilter) {
  if (search?.names.found === "some") {
    const { match, isPrefix } = search.names;
    return { match, isPrefix, tag: search.tag };
  }
  return sha256 === undefined ? undefined : { match: { sha256 }, isPrefix: false, tag: undefined };
}

function mergeConditions(criteria: readonly Criterion[]): Conditions {
  const tags = criteria.flatMap(({ conditions }) => conditions.tags ?? []);
  const excludedTags = criteria.flatMap(({ conditions }) => conditions.excludedTags ?? []);
  return Object.assign({}, ...criteria.map(({ conditions }) => conditions), { tags, excludedTags });
}

function listCriteria(filter: UploadFilter, counts: ListingCounts): Criterion[] {
  const { all, favorite } = counts;
  const { from, to, search, sha256 } = filter;
  // A tag can have the text even if no name can.
  const tags = new Set([...filter.tags, ...(search?.names.found === "none" ? [search.tag ?? ""] : [])]);
  const criteria: Criterion[] = [...tags].map((tag) => ({
    count: counts.tags.get(tag) ?? 0,
    conditions: { tags: [tag] },
    path: { by: "tag", tag },
  }));
  for (const tag of new Set(filter.excludedTags)) {
    criteria.push({ count: all - (counts.tags.get(tag) ?? 0), conditions: { excludedTags: [tag] } });
  }
  if (filter.favorite === true)
    criteria.push({ count: favorite, conditions: { favorite: true }, path: { by: "favorite" } });
  if (filter.favorite === false) criteria.push({ count: all - favorite, conditions: { favorite: false } });
  if (filter.takenDown !== undefined) {
    const conditions = { takenDown: filter.takenDown };
    criteria.push({ count: undefined, conditions, ...(filter.takenDown ? { path: { by: "takedown" } as const } : {}) });
  }
  if (from !== undefined || to !== undefined) criteria.push({ count: counts.days, conditions: { from, to } });
  if (sha256 !== undefined && search?.names.found === "some")
    criteria.push({ count: undefined, conditions: { sha256 } });
  const uncounted = UNCOUNTED.filter((name) => filter[name] !== undefined);
  if (uncounted.length > 0) {
    const conditions = Object.fromEntries(uncounted.map((name) => [name, filter[name]]));
    criteria.push({ count: undefined, conditions });
  }
  if (filter.mimePrefix !== undefined) criteria.push(typeCriterion(filter.mimePrefix, counts));
  return criteria;
}

function typeCriterion(mimePrefix: string, counts: ListingCounts): Criterion {
  const known = (type: string) => KNOWN_PREFIXES.some((knownPrefix) => type.startsWith(knownPrefix));
  const prefixes = prefixesOf(mimePrefix);
  const matches = (type: string) =>
    prefixes.some((prefix) => (prefix === "other" ? !known(type) : type.startsWith(prefix)));
  const types = [...counts.types].flatMap(([status, byType]) =>
    [...byType].filter(([type]) => matches(type)).map(([mimeType, count]) => ({ status, mimeType, count })),
  );
  return {
    count: types.reduce((sum, { count }) => sum + count, 0),
    conditions: { mimePrefix },
    ...(types.length > MAX_ARMS ? {} : { path: { by: "type", types } }),
  };
}

/** The chosen path already covers one of the conditions. */
function choosePath(criteria: readonly Criterion[], conditions: Conditions): Pick<Plan, "path" | "conditions"> {
  // Taken-down uploads are not counted, and they are the fewest.
  const [best] = criteria.filter(({ path }) => path !== undefined).sort((a, b) => (a.count ?? 0) - (b.count ?? 0));
  const path: Path = best?.path ?? { by: "place" };
  if (path.by === "tag") {
    return { path, conditions: { ...conditions, tags: conditions.tags.filter((tag) => tag !== path.tag) } };
  }
  const { favorite, takenDown, mimePrefix, ...others } = conditions;
  return {
    path,
    conditions: {
      ...others,
      ...(favorite === undefined || path.by === "favorite" ? {} : { favorite }),
      ...(takenDown === undefined || path.by === "takedown" ? {} : { takenDown }),
      ...(mimePrefix === undefined || path.by === "type" ? {} : { mimePrefix }),
    },
  };
}
