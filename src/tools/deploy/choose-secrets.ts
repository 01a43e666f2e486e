import { randomBytes } from "node:crypto";

/** The only secret that people need, too. */
export const OPERATOR_SECRET = "ADMIN_TOKEN";

const SECRET_BYTES = 32;

export interface SecretHolder {
  readonly name: string;
  readonly required: readonly string[];
  /** Names of the secrets that the Worker has, second values (`_2`) included. */
  readonly present: ReadonlySet<string>;
}

/**
 * The secrets to upload, by Worker and name. A secret that all its Workers have stays. If one of them lacks it, a new secret is generated
 * for all of them, because secrets cannot be read back and must agree. It is the second value, too, if one of them has a second value.
 * @param operatorToken the operator's secret, instead of a generated one
 */
export function chooseSecrets(
  holders: readonly SecretHolder[],
  operatorToken: string,
): Map<string, Record<string, string>> {
  const chosen = new Map<string, Record<string, string>>();
  for (const secret of new Set(holders.flatMap(({ required }) => required))) {
    const needing = holders.filter(({ required }) => required.includes(secret));
    if (needing.every(({ present }) => present.has(secret))) continue;
    const value = secret === OPERATOR_SECRET ? operatorToken : makeSecret();
    const second = `${secret}_2`;
    const fresh = { [secret]: value, ...(needing.some(({ present }) => present.has(second)) && { [second]: value }) };
    for (const { name } of needing) chosen.set(name, { ...chosen.get(name), ...fresh });
  }
  return chosen;
}

/** 256 bits, in characters that need no quoting anywhere. */
export function makeSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}
