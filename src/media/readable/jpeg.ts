const MAX_SEGMENTS = 10_000;
const EOI = 0xd9;
const SOS = 0xda;

/** ITU-T T.81, B.2: a frame header, then a scan with data. Undefined where the bytes end before. */
export function hasJpegScan(head: Uint8Array): boolean | undefined {
  let framed = false;
  let at = 2;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    at = findMarker(head, at);
    if (at + 4 > head.length) return undefined;
    const marker = head[at + 1] ?? 0;
    const next = at + 2 + (((head[at + 2] ?? 0) << 8) | (head[at + 3] ?? 0));
    if (marker === EOI) return false;
    if (marker === SOS) return framed ? hasData(head, next) : false;
    framed ||= isFrame(marker);
    at = isLoneMarker(marker) ? at + 2 : next;
  }
  return false;
}

/** B.1.1.2: fill bytes may stand before a marker, and decoders skip what else stands there. */
function findMarker(head: Uint8Array, at: number): number {
  let place = at;
  while (place + 1 < head.length && (head[place] !== 0xff || head[place + 1] === 0xff || head[place + 1] === 0))
    place++;
  return place;
}

function hasData(head: Uint8Array, at: number): boolean | undefined {
  return at < head.length ? head[at] !== 0xff || head[at + 1] !== EOI : undefined;
}

/** Table B.1: SOF0 to SOF15, without DHT, JPG and DAC that share their range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Table B.1: TEM, RSTn and SOI have no length. */
function isLoneMarker(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}
