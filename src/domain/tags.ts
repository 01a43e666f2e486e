import { ERRORS } from "./errors.ts";

export const MAX_TAGS = 50;
export const MAX_TAG_CHARACTERS = 64;

/**
 * Tags as they are kept: trimmed, without empty ones and repetitions, in the order given.
 * @throws ServiceError 400 where there are too many, or one is too long
 */
export function normalizeTags(tags: readonly string[]): string[] {
  const kept = [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
  if (kept.length > MAX_TAGS) throw ERRORS.InvalidRequest({ tags: `At most ${MAX_TAGS} tags` });
  if (kept.some((tag) => [...tag].length > MAX_TAG_CHARACTERS)) {
    throw ERRORS.InvalidRequest({ tags: `A tag has at most ${MAX_TAG_CHARACTERS} characters` });
  }
  return kept;
}
