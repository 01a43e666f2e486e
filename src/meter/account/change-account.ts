import type { EmailSetting } from "../../db/directory/account-changes.ts";
import type { AccountSettings } from "../../domain/account-settings.ts";
import { bringEventsForward } from "../events/requests.ts";
import type { AccountChange } from "../intents/intent.ts";
import { areSent, rulesInTier } from "./change-file-rules.ts";
import type { MeterContext } from "./context.ts";
import { replaceUploadKey } from "./credentials.ts";

export type TierChange = Omit<Extract<AccountChange, { kind: "set-tier" }>, "kind" | "rules">;

/** The rules for the account's files name the tier, so both are written by one intent. @param change `uploadKey` is inserted if the account has no valid upload key */
export async function setTier(context: MeterContext, change: TierChange): Promise<void> {
  const { tables, runner, load } = context;
  if (!(await load())) return;
  // If the account never replaced its upload key, only the directory knows whether there is a valid one.
  const uploadKey = tables.credentials.uploadKey === undefined ? change.uploadKey : null;
  const rules = rulesInTier(tables, change.tier);
  const newRules = areSent(tables, rules) ? undefined : rules;
  await runner.changeAccount({ kind: "set-tier", ...change, uploadKey, ...(newRules && { rules: newRules }) }, () => {
    tables.ledger.setTier(change, Date.now());
    // Webhooks for which the former tier had no room may have events.
    bringEventsForward(context);
    if (newRules !== undefined) tables.fileRules.put(newRules);
  });
  if (change.uploadKey !== null && tables.credentials.uploadKey === null) {
    await replaceUploadKey(context, change.uploadKey);
  }
}

/**
 * Sets and verifies the account's address.
 * @returns false if the address changed since, another account has it, or the account no longer exists
 */
export async function setEmail({ tables, runner, load }: MeterContext, setting: EmailSetting): Promise<boolean> {
  if (!(await load()) || tables.erasing) return false;
  await runner.changeAccount({ kind: "set-email", ...setting });
  const { profile } = tables.credentials;
  return profile?.email === setting.email && typeof profile.emailVerifiedAt === "number";
}

/**
 * Changes settings for future uploads.
 * @returns all settings after the change; undefined if the account no longer exists
 */
export async function setSettings(
  { tables, runner, load }: MeterContext,
  change: Partial<AccountSettings>,
): Promise<AccountSettings | undefined> {
  if (!(await load()) || tables.erasing) return undefined;
  const settings = { ...tables.ledger.settings, ...change };
  await runner.changeAccount({ kind: "set-settings", settings }, () => tables.ledger.setSettings(settings));
  return settings;
}
