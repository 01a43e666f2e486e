import { seededRandom } from "./random.ts";

/** Pictures that programs draw, as SVG. Their text takes the fonts of this machine. */

const WORDS =
  "const return upload the file of account stored bytes when await range request folder every image is quality key".split(
    " ",
  );
const CODE_COLOURS = ["#c586c0", "#9cdcfe", "#ce9178", "#d4d4d4", "#6a9955", "#dcdcaa"];
const FLAT_COLOURS = ["#e63946", "#f1a208", "#2a9d8f", "#264653", "#8338ec", "#3a86ff"];

type Random = () => number;

/** A desktop with an editor and a page of text in windows. */
export function drawScreenshot(width: number, height: number, seed: number): string {
  const random = seededRandom(seed);
  const editor = { x: width * 0.03, y: height * 0.06, width: width * 0.55, height: height * 0.85 };
  const page = { x: width * 0.48, y: height * 0.16, width: width * 0.48, height: height * 0.78 };
  return svg(width, height, [
    `<defs><linearGradient id="desk" x2="1" y2="1"><stop stop-color="#1e3c72"/><stop offset="1" stop-color="#c86dd7"/></linearGradient>
     <filter id="shadow"><feDropShadow dx="0" dy="8" stdDeviation="16" flood-opacity="0.5"/></filter></defs>`,
    `<rect width="${width}" height="${height}" fill="url(#desk)"/>`,
    `<rect width="${width}" height="26" fill="#f0f0f0" fill-opacity="0.9"/>${text(12, 18, 14, "#222", sentence(9, random))}`,
    window(editor, "#1e1e1e", "#323233"),
    ...codeLines(editor, random),
    window(page, "#ffffff", "#dee1e6"),
    ...textLines(page, random),
  ]);
}

/** A scanned page. */
export function drawPage(width: number, height: number, seed: number): string {
  const page = { x: width * 0.08, y: height * 0.05, width: width * 0.84, height: height * 0.9 };
  return svg(width, height, [
    `<rect width="${width}" height="${height}" fill="#f4f4f4"/>`,
    ...textLines(page, seededRandom(seed)),
  ]);
}

/** Shapes of few colours with smooth edges on a transparent ground. */
export function drawLogo(side: number, seed: number): string {
  const random = seededRandom(seed);
  const shapes = Array.from({ length: 24 }, (_, index) => {
    const [x, y, size] = [random() * side, random() * side, side * (0.04 + 0.16 * random())];
    const fill = FLAT_COLOURS[index % FLAT_COLOURS.length];
    const opacity = index % 3 === 0 ? 0.6 : 1;
    return index % 2 === 0
      ? `<circle cx="${x}" cy="${y}" r="${size}" fill="${fill}" fill-opacity="${opacity}"/>`
      : `<rect x="${x}" y="${y}" width="${size}" height="${size * 1.5}" rx="${size / 5}" fill="${fill}" transform="rotate(${360 * random()} ${x} ${y})"/>`;
  });
  return svg(side, side, [...shapes, text(side * 0.1, side * 0.55, side / 8, "#264653", sentence(2, random))]);
}

function svg(width: number, height: number, content: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content.join("\n")}</svg>`;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function window({ x, y, width, height }: Box, fill: string, bar: string): string {
  const buttons = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, index) => `<circle cx="${x + 20 + index * 20}" cy="${y + 16}" r="6" fill="${colour}"/>`,
  );
  return `<g filter="url(#shadow)"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${fill}"/></g>
    <rect x="${x}" y="${y}" width="${width}" height="32" rx="10" fill="${bar}"/>${buttons.join("")}`;
}

function codeLines({ x, y, width, height }: Box, random: Random): string[] {
  const lines: string[] = [];
  for (let down = y + 56; down < y + height - 10; down += 19) {
    const indent = 40 + 18 * Math.floor(4 * random());
    const words = sentence(1 + Math.floor(6 * random()), random).split(" ");
    const spans = words.map((word) => `<tspan fill="${pick(CODE_COLOURS, random)}">${word}</tspan>`).join(" ");
    lines.push(text(x + 8, down, 13, "#858585", String(lines.length + 1), "monospace"));
    if (indent < width / 2) lines.push(text(x + indent, down, 14, "#d4d4d4", spans, "monospace"));
  }
  return lines;
}

function textLines({ x, y, width, height }: Box, random: Random): string[] {
  const lines = [text(x + 24, y + 80, 30, "#111", sentence(4, random))];
  for (let down = y + 124; down < y + height - 16; down += 24) {
    const words = Math.floor((width - 48) / 62);
    if (random() < 0.88) lines.push(text(x + 24, down, 16, "#333", sentence(words, random)));
  }
  return lines;
}

function text(x: number, y: number, size: number, fill: string, content: string, family = "sans-serif"): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-family="${family}" fill="${fill}">${content}</text>`;
}

function sentence(words: number, random: Random): string {
  return Array.from({ length: words }, () => pick(WORDS, random)).join(" ");
}

function pick(from: readonly string[], random: Random): string {
  return from[Math.floor(random() * from.length)] ?? "";
}
