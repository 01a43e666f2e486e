import { ERRORS } from "./errors.ts";

export const MAX_TAGS = 50;
export const MAX_TAG_CHARACTERS = 64;

/**
 * Tags as they are stored: trimmed, in NFC, without empty ones and duplicates, in the given order. Case is kept. The
 * shorter of a tag's given and stored form is checked against the limit.
 * @returns `problem` if there are too many tags, or a tag is too long or has a comma or a control character
 */
export function readTags(given: readonly string[]): { readonly tags: string[]; readonly problem?: string } {
  const tags = [...new Set(given.map(normalizeTag).filter((tag) => tag !== ""))];
  if (tags.length > MAX_TAGS) return { tags, problem: `At most ${MAX_TAGS} tags` };
  if (given.some(isTooLong)) return { tags, problem: `A tag has at most ${MAX_TAG_CHARACTERS} characters` };
  if (tags.some((tag) => /[,\p{Cc}\p{Cs}]/u.test(tag))) {
    return { tags, problem: "A tag must not contain commas or control characters" };
  }
  return { tags };
}

/** Reads the tags of a request's field in the same way. @param field the name in the error's details @throws ServiceError 400 */
export function normalizeTags(given: readonly string[], field = "tags"): string[] {
  const { tags, problem } = readTags(given);
  if (problem !== undefined) throw ERRORS.InvalidRequest({ [field]: problem });
  return tags;
}

function isTooLong(tag: string): boolean {
  return [tag, normalizeTag(tag)].every((text) => Array.from(text).length > MAX_TAG_CHARACTERS);
}

/** A tag as it is stored and looked up. */
export function normalizeTag(tag: string): string {
  return tag.normalize("NFC").trim();
}

/** The tags of a comma-separated list, as they are stored. */
export function splitTags(list: string): string[] {
  return [...new Set(list.split(",").map(normalizeTag))].filter((tag) => tag !== "");
}
