import { DAY_MS, MINUTE_MS } from "./calendar.ts";

/** The reasons for which a link is mailed. */
export const PROOF_PURPOSES = ["verify-email", "reset-password", "confirm-old-email", "confirm-new-email"] as const;
export type ProofPurpose = (typeof PROOF_PURPOSES)[number];

/** The time for which a link is valid after its mail is sent. */
export const PROOF_MS: Readonly<Record<ProofPurpose, number>> = {
  "verify-email": DAY_MS,
  "reset-password": 30 * MINUTE_MS,
  "confirm-old-email": DAY_MS,
  "confirm-new-email": DAY_MS,
};

/** Modes of `EMAIL_VERIFICATION`. */
export const VERIFICATION_MODES = ["required", "optional", "off"] as const;
export type VerificationMode = (typeof VERIFICATION_MODES)[number];

/** Undefined for a misspelt mode; "" is no mode. */
export function parseVerificationMode(value: string): VerificationMode | undefined {
  return VERIFICATION_MODES.find((mode) => mode === value);
}

/** An account whose address is not verified in time is erased, if verification is required. */
export const UNVERIFIED_MS = 14 * DAY_MS;
/** The storage limit of an account until its address is verified. */
export const UNVERIFIED_STORAGE_BYTES = 50 * 1024 * 1024;
