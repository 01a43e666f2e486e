import { MAX_PRESETS, MAX_SIGNING_KEYS } from "../../domain/file-rules.ts";
import { changeFileRules } from "./change-file-rules.ts";
import type { MeterContext } from "./context.ts";

/** Rules with a name or id, of which an account has several: the parameters of presets, the names of signing keys. */
export type NamedRule = "presets" | "signingKeys";

const MOST: Readonly<Record<NamedRule, number>> = { presets: MAX_PRESETS, signingKeys: MAX_SIGNING_KEYS };

/** Adds or replaces an entry. @returns undefined if the account does not exist */
export async function putNamedRule(
  context: MeterContext,
  rule: NamedRule,
  name: string,
  value: string,
): Promise<"stored" | "full" | undefined> {
  let isFull = false;
  const rules = await changeFileRules(context, ({ [rule]: entries = {} }) => {
    isFull = !Object.hasOwn(entries, name) && Object.keys(entries).length >= MOST[rule];
    return isFull ? {} : { [rule]: { ...entries, [name]: value } };
  });
  if (rules === undefined) return undefined;
  return isFull ? "full" : "stored";
}

/** @returns false if there is no such entry */
export async function deleteNamedRule(context: MeterContext, rule: NamedRule, name: string): Promise<boolean> {
  let isFound = false;
  await changeFileRules(context, ({ [rule]: entries = {} }) => {
    isFound = Object.hasOwn(entries, name);
    const { [name]: _removed, ...others } = entries;
    return isFound ? { [rule]: others } : {};
  });
  return isFound;
}
