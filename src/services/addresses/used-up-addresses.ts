import { KeptUntil } from "../../isolate/kept-until.ts";
import type { RateFigures } from "../../meter/request-limits.ts";

/** Addresses of this isolate that used up their minute. */
const usedUp = new KeptUntil<RateFigures>();

/** The rate of an address that has used up its minute. A fixed window frees nothing before it ends. */
export function findUsedUpRate(address: string, now: number): RateFigures | undefined {
  return usedUp.find(address, now);
}

export function noteRate(address: string, rate: RateFigures): void {
  if (rate.remaining === 0) usedUp.keep(address, rate, rate.resetAt);
}
