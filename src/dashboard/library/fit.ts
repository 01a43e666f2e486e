interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture fills its square, unless more than half of it would be cut off, or it is an icon that would be blown up. */
export function fitOf({ width, height }: Size): "cover" | "contain" {
  if (width === 0 || height === 0) return "cover";
  const isLong = Math.max(width, height) > 2 * Math.min(width, height);
  const isSmall = Math.max(width, height) < 96;
  return isLong || isSmall ? "contain" : "cover";
}
