/** Placeholder. */
export function Banners() {
  return null;
}
