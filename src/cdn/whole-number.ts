/** Reads a variable of wrangler.toml that is a number from `least` to `most`. Any other value becomes `otherwise`. */
export function wholeNumber(value: string, least: number, most: number, otherwise: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  return number >= least && number <= most ? number : otherwise;
}
