/** A size in a variant's name. A missing side may have any length. */
interface NamedSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The sizes at the beginning of a key's last segment, after the prefix of a thumbnail's variants. */
const SIZE = /(?<=\/)(thumb-)?(?:w(\d+))?-?(?:h(\d+))?(?=[^/]*$)/;
/** Sizes in names are rounded. */
const SHAPE_TOLERANCE = 0.02;

/**
 * The best substitute for a variant: the smallest larger variant of the same kind and shape.
 * @param keys the stored variants of the upload
 */
export function nearestVariant(keys: Iterable<string>, wantedKey: string): string | undefined {
  const wanted = sizeOf(wantedKey);
  const kind = kindOf(wantedKey);
  const larger = [...keys]
    .filter((key) => key !== wantedKey && kindOf(key) === kind && isLarger(sizeOf(key), wanted))
    .sort((a, b) => areaOf(a) - areaOf(b));
  return larger[0];
}

function sizeOf(key: string): NamedSize {
  const [, , width, height] = SIZE.exec(key) ?? [];
  const side = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
  return { width: side(width), height: side(height) };
}

/** A name without its size. */
function kindOf(key: string): string {
  return key.replace(SIZE, "$1");
}

function isLarger(size: NamedSize, wanted: NamedSize): boolean {
  const covers = (side: number | undefined, least: number | undefined) =>
    (side === undefined) === (least === undefined) && (side ?? 0) >= (least ?? 0);
  if (!covers(size.width, wanted.width) || !covers(size.height, wanted.height)) return false;
  if (size.width === undefined || size.height === undefined) return true;
  const shape = size.width / size.height / ((wanted.width ?? 1) / (wanted.height ?? 1));
  return Math.abs(shape - 1) <= SHAPE_TOLERANCE;
}

function areaOf(key: string): number {
  const { width, height } = sizeOf(key);
  return (width ?? height ?? 0) * (height ?? width ?? 0);
}
