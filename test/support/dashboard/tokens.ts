export type Rgb = readonly [number, number, number];

const TOKEN = /--([\w-]+):\s*light-dark\(oklch\(([^)]+)\),\s*oklch\(([^)]+)\)\)/g;

/** The colours of tokens.css by name, as linear sRGB. */
export function readTokens(css: string): Record<"light" | "dark", Map<string, Rgb>> {
  const [light, dark] = [new Map<string, Rgb>(), new Map<string, Rgb>()];
  for (const [, name = "", first = "", second = ""] of css.matchAll(TOKEN)) {
    light.set(name, toLinearRgb(first));
    dark.set(name, toLinearRgb(second));
  }
  return { light, dark };
}

/** The colour that a share of this colour shows on a background: screens blend in sRGB. */
export function cover(color: Rgb, share: number, ground: Rgb): Rgb {
  return combine(color, ground, (over, under) => toLinear(share * toSrgb(over) + (1 - share) * toSrgb(under)));
}

/** CSS's `color-mix(in oklab, color share, ground)`. */
export function mix(color: Rgb, share: number, ground: Rgb): Rgb {
  return fromOklab(combine(toOklab(color), toOklab(ground), (part, rest) => share * part + (1 - share) * rest));
}

/** WCAG's contrast ratio of two colours: 1 to 21. */
export function contrast(a: Rgb | undefined, b: Rgb | undefined): number {
  if (a === undefined || b === undefined) throw new Error("tokens.css has no such colour");
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** OKLCH ("0.515 0.2 262"). */
function toLinearRgb(oklch: string): Rgb {
  const [lightness = 0, chroma = 0, hue = 0] = oklch.split(/\s+/).map(Number);
  const angle = (hue * Math.PI) / 180;
  return fromOklab([lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]);
}

/** By Ottosson's matrices, clipped to what screens show. */
function fromOklab([lightness, a, b]: Rgb): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function toOklab([red, green, blue]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function combine(a: Rgb, b: Rgb, one: (a: number, b: number) => number): Rgb {
  return [one(a[0], b[0]), one(a[1], b[1]), one(a[2], b[2])];
}

function toSrgb(value: number): number {
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
