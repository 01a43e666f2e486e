import type { Query } from "./api.ts";

/** A listing's parameters as the filter of a bulk change. */
export function toFilter(query: Query): Record<string, unknown> {
  const { tags, tag, excludeTags, minSize, maxSize, favorite, ...others } = query;
  const list = (value: Query[string]) => (value === undefined ? [] : String(value).split(","));
  const wanted = [...new Set([...list(tags), ...list(tag)])];
  const filter = {
    ...others,
    tags: wanted.length > 0 ? wanted : undefined,
    excludeTags: excludeTags === undefined ? undefined : list(excludeTags),
    minSize: minSize === undefined ? undefined : Number(minSize),
    maxSize: maxSize === undefined ? undefined : Number(maxSize),
    favorite: favorite === undefined ? undefined : String(favorite) === "true",
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
