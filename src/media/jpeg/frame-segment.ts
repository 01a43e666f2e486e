import type { MarkerSegment } from "./marker-walk.ts";

/** What a SOF segment says (T.81, B.2.2). */
export interface FrameSegment {
  readonly marker: number;
  /** Bits of a sample. */
  readonly precision: number;
  readonly width: number;
  /** 0 where a DNL segment behind the first scan has to tell (B.2.5). */
  readonly height: number;
  readonly components: readonly FrameComponent[];
}

export interface FrameComponent {
  readonly id: number;
  /** Sampling factors. */
  readonly h: number;
  readonly v: number;
  /** Of its quantisation table. */
  readonly tableId: number;
}

const FIXED_BYTES = 6;
const COMPONENT_BYTES = 3;
const MAX_FACTOR = 4;

/** Undefined where it is damaged or not wholly there. */
export function readFrameSegment(bytes: Uint8Array, { marker, begin, end }: MarkerSegment): FrameSegment | undefined {
  if (end > bytes.length || end < begin + FIXED_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint8(begin + 5);
  if (count === 0 || end - begin !== FIXED_BYTES + COMPONENT_BYTES * count) return undefined;
  const components = Array.from({ length: count }, (_, i): FrameComponent => {
    const at = begin + FIXED_BYTES + COMPONENT_BYTES * i;
    const factors = view.getUint8(at + 1);
    return { id: view.getUint8(at), h: factors >> 4, v: factors & 15, tableId: view.getUint8(at + 2) };
  });
  if (components.some(({ h, v }) => h < 1 || h > MAX_FACTOR || v < 1 || v > MAX_FACTOR)) return undefined;
  const [precision, height, width] = [view.getUint8(begin), view.getUint16(begin + 1), view.getUint16(begin + 3)];
  return { marker, precision, width, height, components };
}
