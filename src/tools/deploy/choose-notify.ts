import type { Ask } from "./choose-residence.ts";
import type { Installation } from "./installation.ts";
import { type DeployOptions, isEmail } from "./options.ts";

const QUESTION = `Cloudflare can mail you when the account has many requests, which cost money.
E-mail address (empty: no mail): `;

/**
 * The address in this run's options, else the address of the last run, else the person's answer.
 * @returns null for no mail; undefined if it was not chosen yet
 */
export async function chooseNotify(
  { notify: chosen, isDryRun }: Pick<DeployOptions, "notify" | "isDryRun">,
  { record }: Pick<Installation, "record">,
  ask: Ask | undefined,
): Promise<string | null | undefined> {
  if (chosen !== undefined) return chosen;
  if (record.notify !== undefined || ask === undefined || isDryRun) return record.notify;
  for (;;) {
    const answer = await ask(QUESTION);
    if (answer === "") return null;
    if (isEmail(answer)) return answer;
  }
}
