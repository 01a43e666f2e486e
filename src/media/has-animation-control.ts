/** The first chunk of a PNG follows its signature. */
const PNG_CHUNKS_AT = 8;
const PNG_CHUNK_BYTES = 12;

/** Whether a PNG is an animation: `acTL` comes before the picture (PNG, third edition, 11.3.6.1). */
export function hasAnimationControl(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = PNG_CHUNKS_AT; at + PNG_CHUNK_BYTES <= bytes.length; at += PNG_CHUNK_BYTES + view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === "acTL") return true;
    if (type === "IDAT") return false;
  }
  return false;
}
