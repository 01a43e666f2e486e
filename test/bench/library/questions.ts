import type { ListQuery } from "../../../src/services/images/list-images.ts";

/** A question to libraries of every size. */
export interface Question {
  readonly name: string;
  readonly query: ListQuery;
  /** The limit of p50 at 1,000,000 uploads, as a multiple of p50 at 1,000. */
  readonly atMost?: number;
  /** The limit in milliseconds. */
  readonly atMostMs?: number;
}

const PAGE = { page: 1, limit: 50, status: "active", tags: [], excludedTags: [] } as const;
const ALL = { ...PAGE, folderId: "all" } as const;
const YEAR = { from: "2024-07-01", to: "2025-06-30" } as const;

/** @param folderId a folder of medium size */
export function listQuestions(folderId: string): Question[] {
  return [
    { name: "Root", query: PAGE, atMost: 1.5 },
    { name: "a folder", query: { ...PAGE, folderId }, atMost: 1.5 },
    { name: "trash", query: { ...PAGE, status: "trash" }, atMost: 1.5 },
    { name: "every folder", query: ALL, atMost: 1.5 },
    { name: "every status", query: { ...ALL, status: "all" }, atMost: 1.5 },
    { name: "tag, in Root", query: { ...PAGE, tags: ["a3"] }, atMost: 3 },
    { name: "tag", query: { ...ALL, tags: ["a3"] }, atMost: 3 },
    { name: "favourites, in Root", query: { ...PAGE, favorite: true }, atMost: 3 },
    { name: "favourites", query: { ...ALL, favorite: true }, atMost: 3 },
    { name: "a year, in Root", query: { ...PAGE, ...YEAR }, atMost: 3 },
    { name: "a year", query: { ...ALL, ...YEAR }, atMost: 3 },
    { name: "videos, in Root", query: { ...PAGE, mimePrefix: "video/" }, atMost: 3 },
    { name: "videos", query: { ...ALL, mimePrefix: "video/" }, atMost: 3 },
    { name: "images", query: { ...ALL, mimePrefix: "image/" }, atMost: 3 },
    { name: "PNGs, in a folder", query: { ...PAGE, folderId, mimePrefix: "image/pn" }, atMost: 3 },
    { name: "not favourites", query: { ...ALL, favorite: false }, atMost: 3 },
    { name: "without a tag", query: { ...ALL, excludedTags: ["a3"] }, atMost: 3 },
    { name: "q, one matches", query: { ...PAGE, search: "IMG_0000777" }, atMost: 5, atMostMs: 50 },
    { name: "q, none matches", query: { ...PAGE, search: "holiday" }, atMost: 5, atMostMs: 50 },
    { name: "q of 2, none matches", query: { ...PAGE, search: "~~" }, atMost: 5, atMostMs: 50 },
    { name: "q, hundreds match", query: { ...PAGE, search: "_00009" }, atMostMs: 50 },
    { name: "page 1,000", query: { ...ALL, page: 1000 }, atMost: 5 },
    { name: "q, all match", query: { ...PAGE, search: "img_" } },
    { name: "q of 2, all match", query: { ...PAGE, search: "g_" } },
    { name: "two tags", query: { ...ALL, tags: ["a3", "b4"] } },
    { name: "tag and favourites", query: { ...ALL, tags: ["a3"], favorite: true } },
    { name: "without two tags", query: { ...ALL, excludedTags: ["a3", "b4"] } },
    { name: "sizes", query: { ...ALL, minSizeBytes: 1500 } },
  ];
}

/** The path of the same question to the API. */
export function toPath({ search, minSizeBytes, tags, excludedTags, ...query }: ListQuery): string {
  const parameters: [string, unknown][] = [
    ...Object.entries(query),
    ["q", search],
    ["minSize", minSizeBytes],
    ["tags", tags.join(",") || undefined],
    ["excludeTags", excludedTags.join(",") || undefined],
  ];
  const given = parameters.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]);
  return `/images?${new URLSearchParams(given)}`;
}
