/** The beginning of an APP13 segment that Photoshop defines. */
export const PHOTOSHOP = "Photoshop 3.0\0";
const SIGNATURE = 0x3842494d;
const RESOLUTION = 0x03ed;
const IPTC = 0x0404;
const COPYRIGHT_FLAG = 0x040a;
const PROFILE = 0x040f;
/** A number for plug-ins, which no program uses. */
const EMPTY = 0x1387;
const HEADER_BYTES = 12;
const KEPT = [RESOLUTION, IPTC, COPYRIGHT_FLAG, PROFILE];
/** Datasets of IPTC's record 2 that name a place (IIM 4.2): content location, city, sublocation, state, country. */
const PLACES = [26, 27, 90, 92, 95, 100, 101];

/**
 * Writes a Photoshop segment again in the same number of bytes, with resolution, profile, copyright flag, and IPTC without places. Other
 * resources, such as thumbnails and copies of Exif and XMP, go. An empty resource takes the remaining bytes.
 */
export function reducePhotoshop(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let to = PHOTOSHOP.length;
  for (let at = PHOTOSHOP.length; at + 12 <= bytes.length && view.getUint32(at) === SIGNATURE; ) {
    const id = view.getUint16(at + 4);
    const dataAt = at + 6 + evened(1 + view.getUint8(at + 6)) + 4;
    if (dataAt > bytes.length) break;
    const end = dataAt + view.getUint32(dataAt - 4);
    if (end > bytes.length) break;
    const next = Math.min(bytes.length, dataAt + evened(end - dataAt));
    if (KEPT.includes(id)) {
      bytes.copyWithin(to, at, next);
      const moved = to + dataAt - at;
      if (id === IPTC) dropPlaces(bytes.subarray(moved, moved + end - dataAt));
      to += next - at;
    }
    at = next;
  }
  bytes.fill(0, to);
  if (bytes.length - to < HEADER_BYTES) return;
  view.setUint32(to, SIGNATURE);
  view.setUint16(to + 4, EMPTY);
  view.setUint32(to + 8, (bytes.length - to - HEADER_BYTES) & ~1);
}

function evened(length: number): number {
  return length + (length & 1);
}

/** Moves the datasets of IPTC that are no place to the front; the rest becomes zero. */
function dropPlaces(bytes: Uint8Array): void {
  let to = 0;
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === 0x1c; ) {
    const length = ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0);
    const end = at + 5 + length;
    // Longer values have another form of length, which is not read: they and all that follows become zero.
    if (length > 0x7fff || end > bytes.length) break;
    const isPlace = bytes[at + 1] === 2 && PLACES.includes(bytes[at + 2] ?? 0);
    if (!isPlace) {
      bytes.copyWithin(to, at, end);
      to += end - at;
    }
    at = end;
  }
  bytes.fill(0, to);
}
