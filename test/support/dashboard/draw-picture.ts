import sharp, { type Sharp } from "sharp";

/** A landscape, a portrait or an icon, drawn from a number: 341 by 256 pixels, times the scale. */
export function drawPicture(seed: number, scale = 1): Sharp {
  const hue = (seed * 47) % 360;
  const [width, height] = seed % 5 === 3 ? [256, 341] : [341, 256];
  const hills = Array.from({ length: 4 }, (_, at) => {
    const y = height * (0.45 + at * 0.14);
    const points = Array.from(
      { length: 12 },
      (_, x) => `${(x * width) / 11},${y - 40 * Math.abs(Math.sin(seed + x * 1.7 + at))}`,
    );
    return `<polygon fill="hsl(${hue + at * 9},38%,${62 - at * 14}%)" points="0,${height} ${points.join(" ")} ${width},${height}"/>`;
  });
  const drawn = isIcon(seed)
    ? `<circle cx="128" cy="128" r="80" fill="hsl(${hue},70%,45%)"/><circle cx="128" cy="128" r="34" fill="#fff"/>`
    : `<rect width="100%" height="100%" fill="hsl(${hue + 30},55%,78%)"/><circle cx="${width * 0.7}" cy="${height * 0.3}" r="20" fill="hsl(${hue + 60},90%,88%)"/>${hills.join("")}`;
  const size = isIcon(seed) ? [256, 256] : [width, height];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}">${drawn}</svg>`;
  return sharp(Buffer.from(svg), { density: 72 * scale });
}

/** Whether the picture is an icon on a transparent ground. */
export function isIcon(seed: number): boolean {
  return seed % 9 === 4;
}
