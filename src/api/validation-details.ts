export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A client that sends a thousand wrong fields is told of the first few. */
const MAX_ISSUES = 20;

/** One line for each field that was wrong: `{ field: message }`. */
export function toDetails(issues: readonly Issue[]): Record<string, string> {
  const details: Record<string, string> = {};
  for (const { path, message } of issues.slice(0, MAX_ISSUES)) {
    const field = path.length === 0 ? "body" : path.map(String).join(".");
    details[field] ??= message;
  }
  return details;
}
