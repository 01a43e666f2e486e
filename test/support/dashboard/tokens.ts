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

/** WCAG's ratio of two colours: 1 to 21. */
export function contrast(a: Rgb | undefined, b: Rgb | undefined): number {
  if (a === undefined || b === undefined) throw new Error("tokens.css has no such colour");
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** OKLCH ("0.515 0.2 262") by Ottosson's matrices, clipped to what screens show. */
function toLinearRgb(oklch: string): Rgb {
  const [lightness = 0, chroma = 0, hue = 0] = oklch.split(/\s+/).map(Number);
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
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
