import { NO_SUBJECT, PATTERNS } from "./patterns.ts";
import type { Text } from "./read-texts.ts";

/** Shorter strings are labels unless they end with a full stop. */
const SENTENCE_WORDS = 6;

/** The names of the patterns that a text matches. */
export function matchesOf({ kind, text }: Pick<Text, "kind" | "text">): string[] {
  const isSentence = kind !== "string" || text.endsWith(".") || text.split(" ").length >= SENTENCE_WORDS;
  return PATTERNS.filter(
    ({ expression, isForSentences }) => (isSentence || !isForSentences) && expression.test(text),
  ).map(({ name }) => name);
}

/** True for the title of a test that does not begin with its subject. */
export function lacksSubject({ kind, text }: Pick<Text, "kind" | "text">): boolean {
  return kind === "title" && NO_SUBJECT.test(text);
}
