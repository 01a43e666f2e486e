import type { RateFigures } from "../../meter/figures.ts";

/** How long an address is remembered for a credential that it made up. */
const SUSPECT_MS = 60_000;
const MAX_REMEMBERED = 2000;

interface KnownAddress {
  /** Its minute, once that was used up. */
  readonly usedUp?: RateFigures;
  readonly suspectUntil: number;
}

/** What this isolate has seen of addresses lately, oldest first. It saves calls; what it has forgotten does no harm. */
const known = new Map<string, KnownAddress>();

/** The minute of an address that has used it up: a fixed window gives nothing back before it ends. */
export function findUsedUpRate(address: string, now: number): RateFigures | undefined {
  const usedUp = known.get(address)?.usedUp;
  return usedUp !== undefined && usedUp.resetAt > now ? usedUp : undefined;
}

/** Whether the address has lately sent a credential that does not exist. */
export function isSuspect(address: string, now: number): boolean {
  return (known.get(address)?.suspectUntil ?? 0) > now;
}

export function noteRate(address: string, rate: RateFigures): void {
  if (rate.remaining === 0) remember(address, { suspectUntil: 0, ...known.get(address), usedUp: rate });
}

export function noteUnknownCredential(address: string, now: number): void {
  remember(address, { ...known.get(address), suspectUntil: now + SUSPECT_MS });
}

function remember(address: string, facts: KnownAddress): void {
  known.delete(address);
  known.set(address, facts);
  if (known.size <= MAX_REMEMBERED) return;
  const oldest = known.keys().next().value;
  if (oldest !== undefined) known.delete(oldest);
}
