const DAYS = 7;

/** The library's search parameters for the last seven days, including today: {from: "2026-11-16"}. Days are UTC, like the service's. */
export function recentSearch(now: Date): { readonly from: string } {
  const first = new Date(now.getTime() - (DAYS - 1) * 86_400_000);
  return { from: first.toISOString().slice(0, 10) };
}
