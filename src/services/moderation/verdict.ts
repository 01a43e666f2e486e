import { MAX_REASON_CHARACTERS } from "../../domain/operator.ts";

const ACTIONS = ["allow", "flag", "takedown"] as const;
const DEFAULT_REASON = "The moderation hook gave no reason";

/** The hook's answer about an upload. */
export interface Verdict {
  readonly action: (typeof ACTIONS)[number];
  readonly reason: string;
}

/**
 * Reads a hook's answer: `{action, reason?}` as JSON; other fields are ignored. A reason is cut to the length of an
 * operator's.
 * @returns undefined if it is no verdict
 */
export function parseVerdict(answer: string): Verdict | undefined {
  const { action: named, reason }: { readonly action?: unknown; readonly reason?: unknown } = Object(parseJson(answer));
  const action = ACTIONS.find((each) => each === named);
  const text = reason ?? "";
  if (action === undefined || typeof text !== "string") return undefined;
  return { action, reason: toLine(text) || DEFAULT_REASON };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One line without control characters. Half a character at its end becomes U+FFFD. */
function toLine(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.slice(0, MAX_REASON_CHARACTERS).toWellFormed();
}
