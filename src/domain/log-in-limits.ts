/** Limits of passwords, log-ins by passkey, password changes (AUTH-7, AUTH-14) and mails about new devices (SIGN-3). */

/** `count` actions are allowed in a window that begins with the first one. */
export interface CountLimit {
  readonly count: number;
  readonly windowSeconds: number;
}

const WINDOW_SECONDS = 15 * 60;

/** Wrong passwords of one address for one account. */
export const FAILURES_PER_ACCOUNT_AND_ADDRESS: CountLimit = { count: 10, windowSeconds: WINDOW_SECONDS };

/** Wrong passwords of one address for all accounts. */
export const FAILURES_PER_ADDRESS: CountLimit = { count: 100, windowSeconds: WINDOW_SECONDS };

/**
 * Tries of one address for one account, right or wrong. Each takes a quarter of a second of CPU time, so tries of the right
 * password are bounded too. A script that logs in each minute is within it.
 */
export const TRIES_PER_ACCOUNT_AND_ADDRESS: CountLimit = { count: 60, windowSeconds: 60 * 60 };

/** Tries of one address for all accounts, right or wrong. */
export const TRIES_PER_ADDRESS: CountLimit = { count: 200, windowSeconds: WINDOW_SECONDS };

/** Log-ins by passkey of one address. They have a count of their own, so that wrong passwords never refuse them. */
export const PASSKEYS_PER_ADDRESS: CountLimit = { count: 100, windowSeconds: WINDOW_SECONDS };

/** Password changes of one account. Each sends a mail. */
export const PASSWORD_CHANGES: CountLimit = { count: 10, windowSeconds: 60 * 60 };

/** Mails about new devices of one account. */
export const NEW_DEVICE_MAILS: CountLimit = { count: 20, windowSeconds: 24 * 60 * 60 };

/**
 * Wrong passwords for one account from all addresses that never logged in to it. The first `atOnce` are not slowed down;
 * after them one try is allowed every `everySeconds`, however many addresses there are.
 */
export const FAILURES_OF_STRANGERS = { atOnce: 10, everySeconds: 30 } as const;

/** An address counts as one that has logged in for this long after its last log-in. */
export const KNOWN_ADDRESS_DAYS = 180;
