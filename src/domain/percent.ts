/**
 * A share of a limit in percent, rounded down to two decimals: 100 only if the limit is reached.
 * @param used with at most one decimal
 */
export function toPercent(used: number, limit: number): number {
  // Whole numbers keep the division exact.
  return Math.floor((Math.round(used * 10) * 1000) / limit) / 100;
}
