import type { Query } from "./api.ts";
import { TAGS } from "./fixture.ts";

const SEARCHES = ["beach", "B", "é", "σίσυφος", "写真", "%", "1", "ea", "png", "sunny", "x ", "AND", "sea", "'s", "(d"];

/** A random choice; the argument is the number of choices. */
export type Random = (below: number) => number;

export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error("There is nothing to pick from");
  return value;
}

/** Any subset of the listing's filters, each with a value that may occur in the library. */
export function randomQuery(random: Random, folders: readonly string[]): Query {
  const tags = () => {
    const some = Array.from({ length: 1 + random(2) }, () => pick(random, TAGS));
    return [...new Set(some)].join(",");
  };
  const today = new Date().toISOString().slice(0, 10);
  /** One query in this number has the parameter, with this value. */
  const choices: Record<string, [number, () => string | number | boolean]> = {
    status: [2, () => pick(random, ["active", "trash", "all"])],
    folderId: [2, () => pick(random, ["root", "all", "all", ...folders])],
    q: [4, () => pick(random, SEARCHES)],
    from: [4, () => pick(random, ["2020-02-29", today])],
    to: [8, () => pick(random, ["2999-12-31", "2999-12-31", "2020-02-29"])],
    mimePrefix: [4, () => pick(random, ["image/", "video/", "image/j", "image/", "application/", "other"])],
    minSize: [4, () => 100 + random(450)],
    maxSize: [4, () => 550 + random(450)],
    favorite: [4, () => random(2) === 0],
    tags: [5, tags],
    excludeTags: [4, tags],
    tag: [8, () => pick(random, TAGS)],
  };
  const query: Record<string, string | number | boolean> = {};
  // A single filter may be answered in another way than several filters.
  const rarity = pick(random, [1, 2, 4]);
  for (const [name, [oneIn, choose]] of Object.entries(choices))
    if (random(oneIn * rarity) === 0) query[name] = choose();
  // The days must be in order; other tests show that the wrong order is refused.
  if (String(query.from) > String(query.to)) delete query.from;
  return query;
}
