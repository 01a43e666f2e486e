import type { MailContent } from "./layout.ts";

interface UsageAlertValues {
  /** Percent of the month's limit. */
  readonly threshold: number;
  readonly used: number;
  readonly limit: number;
  /** ISO 8601. */
  readonly resetAt: string;
}

/** The account's operations have reached a threshold (ALERT-2). */
export function usageAlert({ threshold, used, limit, resetAt }: UsageAlertValues): MailContent {
  const consequence =
    threshold === 100
      ? "Uploads and deletions are refused until then; files stay available."
      : "At 100 % uploads and deletions are refused; files stay available.";
  return {
    subject: `${threshold} % of this month's operations are used`,
    paragraphs: [
      `Your account has used ${used.toLocaleString("en")} of this month's ${limit.toLocaleString("en")} operations: ${threshold} % or more.`,
      `${consequence} The count resets at ${resetAt}.`,
    ],
  };
}
