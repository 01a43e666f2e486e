import { ERRORS } from "./errors.ts";

export const MAX_TAGS = 50;
export const MAX_TAG_CHARACTERS = 64;

/**
 * Tags as they are kept: trimmed, in NFC, without empty ones and repetitions, in the order given. Case is kept.
 * @param field what the error's details name
 * @throws ServiceError 400 where there are too many, or one is too long or has a comma or a control character
 */
export function normalizeTags(tags: readonly string[], field = "tags"): string[] {
  const kept = [...new Set(tags.map(normalizeTag).filter((tag) => tag !== ""))];
  if (kept.length > MAX_TAGS) throw ERRORS.InvalidRequest({ [field]: `At most ${MAX_TAGS} tags` });
  for (const tag of kept) {
    if (Array.from(tag).length > MAX_TAG_CHARACTERS) {
      throw ERRORS.InvalidRequest({ [field]: `A tag has at most ${MAX_TAG_CHARACTERS} characters` });
    }
    if (/[,\p{Cc}\p{Cs}]/u.test(tag)) {
      throw ERRORS.InvalidRequest({ [field]: "A tag has no comma and no control character" });
    }
  }
  return kept;
}

/** How a tag is kept, and so how it is looked for. */
export function normalizeTag(tag: string): string {
  return tag.normalize("NFC").trim();
}

/** The tags of a comma-separated list, as they are kept. */
export function splitTags(list: string): string[] {
  return [...new Set(list.split(",").map(normalizeTag))].filter((tag) => tag !== "");
}
