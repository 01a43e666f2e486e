export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A client that sends a thousand wrong fields gets the first few. */
const MAX_ISSUES = 20;

/** The message of each wrong field: `{ field: message }`. */
export function toDetails(issues: readonly Issue[]): Record<string, string> {
  const details: Record<string, string> = {};
  for (const { path, message } of issues.slice(0, MAX_ISSUES)) {
    const field = path.length === 0 ? "body" : path.map(String).join(".");
    details[field] ??= message;
  }
  return details;
}
