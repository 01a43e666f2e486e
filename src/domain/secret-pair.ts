import { DAY_MS } from "./calendar.ts";

/**
 * The days for which a secret's older value is accepted after the newer value began to sign. By then, everything that the older value
 * signed has expired. Null: it is accepted until the next rotation, because webhooks, authenticator apps and signing keys depend on it.
 */
export const OLDER_VALUE_DAYS = {
  JWT_SECRET: 8,
  RECEIPT_SECRET: 42,
  PREVIEW_SECRET: 3,
  ADMIN_TOKEN: 7,
  WEBHOOK_SECRET: null,
  SIGN_IN_SECRET: null,
  URL_SIGNING_SECRET: null,
} as const satisfies Readonly<Record<string, number | null>>;

export type SecretName = keyof typeof OLDER_VALUE_DAYS;

/** A Worker's bindings of a secret. The second value exists after the first rotation. */
export type SecretBindings<Name extends SecretName> = { readonly [N in Name]: string } & {
  readonly [N in `${Name}_2`]?: string;
};

/** A secret whose value may be rotated. */
export interface SecretPair {
  /** The value that signs. */
  readonly current: string;
  /** Every value that is accepted, the signing one first. */
  readonly accepted: readonly string[];
}

/** `<Unix seconds>.<random>`: a rotated value signs from that second on. A value without a time counts as the oldest. */
const STAMP = /^(\d{1,12})\./;

/**
 * Reads a secret with its second value. Each value is accepted before it signs, so that every isolate accepts it before any isolate signs
 * with it.
 * @param now milliseconds
 */
export function readSecret<Name extends SecretName>(
  bindings: SecretBindings<Name>,
  name: Name,
  now: number,
): SecretPair {
  const values: { readonly [key: string]: string | undefined } = bindings;
  const first = values[name] ?? "";
  const second = values[`${name}_2`];
  if (second === undefined || second === "" || second === first) return onlySecret(first);
  const [newer, older] = signsFrom(second) > signsFrom(first) ? [second, first] : [first, second];
  const newerFrom = signsFrom(newer);
  if (now < newerFrom) return { current: older, accepted: [older, newer] };
  const days = OLDER_VALUE_DAYS[name];
  return days !== null && now >= newerFrom + days * DAY_MS
    ? onlySecret(newer)
    : { current: newer, accepted: [newer, older] };
}

/** A secret that was never rotated. */
export function onlySecret(value: string): SecretPair {
  return { current: value, accepted: [value] };
}

/** The time from which a value signs, in milliseconds. */
function signsFrom(value: string): number {
  return Number(STAMP.exec(value)?.[1] ?? 0) * 1000;
}
