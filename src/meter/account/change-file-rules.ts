import type { FileRules, HotlinkRule, PaidTier, RestrictedVariants } from "../../domain/file-rules.ts";
import type { TierName } from "../../domain/tiers.ts";
import type { MeterContext } from "./context.ts";

/** A rule that is null is removed; a rule that is absent stays. */
export interface FileRulesChange {
  readonly suspended?: true | null;
  readonly tier?: PaidTier | null;
  readonly hotlink?: HotlinkRule | null;
  readonly variants?: RestrictedVariants | null;
  /** All presets after the change. */
  readonly presets?: Readonly<Record<string, string>>;
  /** All signing keys after the change. */
  readonly signingKeys?: Readonly<Record<string, string>>;
}

/**
 * Changes some rules for the account's files, and sends all of them to R2. They take effect within a minute.
 * @param change the change, or a function that makes it from the rules before
 * @param applyHere changes this object's own tables in the same transaction
 * @returns the rules after the change; undefined if the account does not exist
 */
export async function changeFileRules(
  { tables, runner, load }: MeterContext,
  change: FileRulesChange | ((before: FileRules) => FileRulesChange),
  applyHere: () => void = () => {},
): Promise<FileRules | undefined> {
  if (!(await load()) || tables.erasing) return undefined;
  // Nothing is awaited from here to the transaction, so no other change comes between.
  const before = tables.fileRules.read();
  const rules = toRules({ ...before, ...(typeof change === "function" ? change(before) : change) });
  if (areSent(tables, rules)) {
    applyHere();
    return rules;
  }
  const changedAt = tables.intents.nextChangeAt(Date.now());
  await runner.change({ kind: "set-file-rules", rules, changedAt }, () => {
    tables.fileRules.put(rules);
    applyHere();
  });
  return rules;
}

/** Whether R2 has these rules, or has none because none were ever set. No change is on its way that would write others. */
export function areSent({ fileRules, intents }: MeterContext["tables"], rules: FileRules): boolean {
  const isSettled = intents.find("set-file-rules") === undefined && intents.find("set-tier") === undefined;
  return isSettled && JSON.stringify(rules) === JSON.stringify(fileRules.read());
}

/** The rules for the account's files in another tier. */
export function rulesInTier({ fileRules }: MeterContext["tables"], tier: TierName): FileRules {
  return toRules({ ...fileRules.read(), tier: tier === "free" ? null : tier });
}

/** The rules that are set, in a fixed order. */
function toRules({ suspended, tier, hotlink, variants, presets = {}, signingKeys = {} }: FileRulesChange): FileRules {
  return {
    ...(suspended && { suspended }),
    ...(tier && { tier }),
    ...(hotlink && { hotlink }),
    ...(variants && { variants }),
    ...(Object.keys(presets).length > 0 && { presets }),
    ...(Object.keys(signingKeys).length > 0 && { signingKeys }),
  };
}

/** The rules for the account's files. */
export async function readFileRules({ tables, load }: MeterContext): Promise<FileRules> {
  return (await load()) ? tables.fileRules.read() : {};
}
