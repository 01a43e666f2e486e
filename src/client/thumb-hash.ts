/**
 * The picture of a ThumbHash (https://evanw.github.io/thumbhash/) in base64 as a PNG in a data URL. The package `thumbhash` does the same in more
 * bytes.
 */
export function toPicture(thumbHash: string): string {
  const hash = toCodes(atob(thumbHash));
  const byte = (at: number) => hash[at] as number;
  const head = byte(0) | (byte(1) << 8) | (byte(2) << 16);
  const more = byte(3) | (byte(4) << 8);
  const hasAlpha = head >> 23;
  const sides = [hasAlpha ? 5 : 7, more & 7];
  const [across, down] = (more >> 15 ? sides : sides.reverse()) as [number, number];
  // The longer side has 32 pixels.
  const [width, height] = [across, down].map((side) => Math.round((32 * side) / Math.max(across, down))) as [
    number,
    number,
  ];
  let nibble = hasAlpha ? 12 : 10;
  /** Reads a channel. @returns its value at a pixel, by the pixel's cosines across and down */
  const channel = (nx: number, ny: number, scale: number, mean: number) => {
    const terms: [number, number, number][] = [];
    for (let y = 0; y < ny; y++)
      for (let x = y ? 0 : 1; x * ny < nx * (ny - y); x++, nibble++)
        terms.push([x, y, (((byte(nibble >> 1) >> ((nibble & 1) * 4)) & 15) / 3.75 - 2) * scale]);
    return (cx: number[], cy: number[]) =>
      terms.reduce((sum, [x, y, factor]) => sum + factor * (cx[x] as number) * (cy[y] as number), mean);
  };
  const six = (bits: number, at: number) => (bits >> at) & 63;
  const light = channel(Math.max(3, across), Math.max(3, down), (six(head, 18) & 31) / 31, six(head, 0) / 63);
  const yellow = channel(3, 3, six(more, 3) / 50.4, six(head, 6) / 31.5 - 1);
  const red = channel(3, 3, (six(more, 9) & 63) / 50.4, six(head, 12) / 31.5 - 1);
  const alpha = hasAlpha ? channel(5, 5, (byte(5) >> 4) / 15, (byte(5) & 15) / 15) : () => 1;
  const cosines = (length: number) =>
    Array.from({ length }, (_, at) =>
      Array.from({ length: 7 }, (_, k) => Math.cos((Math.PI * k * (at + 0.5)) / length)),
    );
  const columns = cosines(width);
  const rows = cosines(height).flatMap((cy) => [
    0,
    ...Uint8ClampedArray.from(
      columns.flatMap((cx) => {
        const l = light(cx, cy);
        const q = red(cx, cy);
        const b = l - (2 / 3) * yellow(cx, cy);
        const r = (3 * l - b + q) / 2;
        return [r, r - q, b, alpha(cx, cy)].map((value) => 255 * value);
      }),
    ),
  ]);
  return `data:image/png;base64,${btoa(String.fromCharCode(...toPng(width, height, rows)))}`;
}

/** A PNG whose rows are stored without compression. They have fewer than 65,536 bytes. */
function toPng(width: number, height: number, rows: readonly number[]): number[] {
  let a = 1;
  let b = 0;
  for (const byte of rows) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  // The length and its complement.
  const [high, low] = toBytes(rows.length).slice(2) as [number, number];
  const block = [120, 1, 1, low, high, 255 - low, 255 - high];
  return [
    ...[137, 80, 78, 71, 13, 10, 26, 10],
    ...chunk("IHDR", [...toBytes(width), ...toBytes(height), 8, 6, 0, 0, 0]),
    ...chunk("IDAT", [...block, ...rows, ...toBytes((b << 16) | a)]),
    ...chunk("IEND", []),
  ];
}

function chunk(name: string, data: readonly number[]): number[] {
  const named = [...toCodes(name), ...data];
  let crc = -1;
  for (const byte of named) {
    crc ^= byte;
    for (let bit = 8; bit--; ) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return [...toBytes(data.length), ...named, ...toBytes(~crc)];
}

function toCodes(text: string): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Four bytes, the highest first. */
function toBytes(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >> shift) & 255);
}
