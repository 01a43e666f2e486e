import { DHT, DQT, DRI, EOI, SOI, SOS } from "../../../src/media/jpeg/markers.ts";
import { testTable } from "./bit-writer.ts";
import type { CoefficientPicture, CoefficientPlane } from "./coefficients.ts";
import { makeSegment } from "./segments.ts";
import { writeScan } from "./write-scan.ts";

/** A scan as a test wants it. */
export interface TestScan {
  /** Indexes of the components. */
  readonly of: readonly number[];
  readonly ss?: number;
  readonly se?: number;
  readonly ah?: number;
  readonly al?: number;
  /** The interval in MCUs. */
  readonly restartInterval?: number;
  /** Huffman tables with other codes replace the scan's tables before it, under the same numbers. */
  readonly flipped?: boolean;
}

export interface TestLayout {
  /** 0xC0 unless a scan of the layout is progressive. */
  readonly frameMarker?: number;
  readonly scans: readonly TestScan[];
  readonly metadata?: readonly Uint8Array[];
  /** 16-bit steps (Pq = 1). */
  readonly wideSteps?: boolean;
  /** All components name table 0, which is redefined before each scan. */
  readonly oneTableNumber?: boolean;
}

/** Writes a picture's coefficients in any arrangement that T.81 allows, to test decoders. */
export function writeTestJpeg(picture: CoefficientPicture, layout: TestLayout): Buffer {
  const { width, height, components } = picture;
  const progressive = layout.scans.some(({ ss = 0, se = 63, al = 0 }) => ss > 0 || se < 63 || al > 0);
  const tableNumber = (index: number) => (layout.oneTableNumber ? 0 : index);
  const factors = components.flatMap(({ id, h, v }, index) => [id, (h << 4) | v, tableNumber(index)]);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  const frame = makeSegment(layout.frameMarker ?? (progressive ? 0xc2 : 0xc0), [
    8,
    ...size,
    components.length,
    ...factors,
  ]);
  const tables = (indexes: readonly number[]) =>
    indexes.map((index) => quantisation(components[index], tableNumber(index), layout.wideSteps ?? false));
  return Buffer.concat([
    Uint8Array.of(0xff, SOI),
    ...(layout.metadata ?? []),
    ...(layout.oneTableNumber ? [] : tables([...components.keys()])),
    frame,
    ...layout.scans.flatMap((scan) => [
      ...(layout.oneTableNumber ? tables(scan.of) : []),
      ...scanSegments(picture, scan, progressive),
    ]),
    Uint8Array.of(0xff, EOI),
  ]);
}

function quantisation(plane: CoefficientPlane | undefined, id: number, wide: boolean): Buffer {
  const steps = Array.from(plane?.steps ?? []);
  return makeSegment(DQT, [wide ? 0x10 | id : id, ...steps.flatMap((step) => (wide ? [step >> 8, step & 255] : step))]);
}

function scanSegments(picture: CoefficientPicture, scan: TestScan, progressive: boolean): Buffer[] {
  const { of, ss = 0, se = 63, ah = 0, al = 0, restartInterval = 0, flipped = false } = scan;
  const [dc, ac] = [testTable("dc", flipped), testTable("ac", flipped)];
  const selectors = of.flatMap((index) => [picture.components[index]?.id ?? 0, 0]);
  return [
    makeSegment(DRI, [restartInterval >> 8, restartInterval & 255]),
    makeSegment(DHT, [0x00, ...dc.counts, ...dc.symbols]),
    makeSegment(DHT, [0x10, ...ac.counts, ...ac.symbols]),
    makeSegment(SOS, [of.length, ...selectors, ss, se, (ah << 4) | al]),
    writeScan(picture, { of, ss, se, ah, al, restartInterval, progressive, dc, ac }),
  ];
}
