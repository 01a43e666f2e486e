import { randomBytes } from "node:crypto";

/** The one secret that people need, too. */
export const OPERATOR_SECRET = "ADMIN_TOKEN";

const SECRET_BYTES = 32;

export interface SecretHolder {
  readonly name: string;
  readonly required: readonly string[];
  /** Names of those that it has. */
  readonly present: ReadonlySet<string>;
}

/**
 * The secrets that have to be given to Workers, by Worker and name. A secret that every Worker has that needs it stays as it is. One that
 * any of them lacks is made anew for all of them: it cannot be read back, and they have to agree.
 * @param operatorToken in place of one that is made, for the operator's secret
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
    for (const { name } of needing) chosen.set(name, { ...chosen.get(name), [secret]: value });
  }
  return chosen;
}

/** 256 bits, in characters that need no quoting anywhere. */
export function makeSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}
