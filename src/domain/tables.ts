import { toHumanSize } from "./human-size.ts";
import { TIER_NAMES, TIERS } from "./tiers.ts";

/** Tables of README.md and of the API's description, in Markdown, made of the constants that the code goes by. */

/** The tiers (specification, Limits, Tiers). */
export function tierTable(): string {
  const rows = TIER_NAMES.map((name) => {
    const { keyKind, storageBytes, operationsPerMonth, requestsPerMinute } = TIERS[name];
    const numbers = [operationsPerMonth, requestsPerMinute].map((number) => number.toLocaleString("en"));
    return [
      name[0]?.toUpperCase() + name.slice(1),
      keyKind === "api" ? "API keys" : "one upload key",
      toHumanSize(storageBytes),
      ...numbers,
    ];
  });
  return toTable(["tier", "keys", "storage", "operations a month", "requests a minute"], rows);
}

/** What each error status means, and what a client does about it. */
export function errorTable(): string {
  return toTable(["status", "means", "and then"], ERROR_ROWS);
}

const ERROR_ROWS = [
  ["400", "a field, parameter or file is missing or malformed; `details` names it", "correct the request"],
  ["401", "no credential, or one that is unknown, revoked or expired", "send `Authorization: Bearer <key>`"],
  [
    "403",
    "the credential may not do this, the upload is another account's, or registration is closed to you",
    "use another key, or log in",
  ],
  ["404", "there is no such upload, folder, key or path", "do not retry"],
  ["405", "the path is served for other methods; `Allow` names them", "do not retry"],
  ["408", "the client stopped sending", "send the request again"],
  [
    "409",
    "the email has an account already, another new upload key took this one's place, the same upload is under way, or is elsewhere than `Upload-Offset` says",
    "log in, or make another; wait `Retry-After` seconds; ask with `HEAD`",
  ],
  [
    "412",
    "a file is not, or no longer, the one that `If-Match` or `If-Unmodified-Since` names; or `Tus-Resumable` is not 1.0.0",
    "ask for it anew",
  ],
  ["413", "the storage is full, or the body too large (`details.maxBytes`)", "delete something, or send less"],
  ["414", "a file's path is longer than any that is stored", "do not retry"],
  ["415", "the file is neither image nor video, or the body not JSON", "do not retry"],
  ["416", "the range begins behind the file's end; `Content-Range` has its size", "ask for another range"],
  ["422", "the `Idempotency-Key` was sent with another request", "send a new key"],
  ["423", "another request still writes to this upload", "wait `details.retryAfter` seconds (`Retry-After`)"],
  [
    "429",
    "a limit is reached; `details.reason` says which: `rate`, `operations` or `attempts`",
    "wait `details.retryAfter` seconds (`Retry-After`)",
  ],
  ["500", "an error of ours", "retry with backoff"],
  ["503", "a part of the service is away or full", "wait `details.retryAfter` seconds (`Retry-After`)"],
] as const;

/** Columns are padded, as the formatter of Markdown would. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}
