import type { Engine } from "./engine.ts";
import { codedBits, makeHuffmanEncoder } from "./huffman-encoder.ts";

/** Ends of the first band that are tried; the ones that mozjpeg tries. */
const SPLITS = [2, 5, 8, 12, 18];
const LUMA_MAX_AL = 3;
const CHROMA_MAX_AL = 2;
/** Lines of blocks that an estimate looks at, about. */
const SAMPLED_LINES = 24;

/** A band of AC coefficients, and which of their bits a scan brings (T.81, G.1.1.1). */
export interface AcScan {
  readonly ss: number;
  readonly se: number;
  readonly ah: number;
  readonly al: number;
}

/**
 * The AC scans of a component that take the fewest bytes: how many bits come later, and where the band is split. Estimated
 * on a sample of its lines, as the choice matters for one percent of the bytes.
 */
export function chooseAcScans(engine: Engine, component: number, blockLines: number, isLuma: boolean): AcScan[] {
  const lineStep = Math.max(1, Math.floor(blockLines / SAMPLED_LINES));
  const cost = (...scans: AcScan[]) => {
    return scans.reduce((sum, scan) => sum + estimateBits(engine, component, scan, lineStep), 0);
  };
  let al = 0;
  let refinements: AcScan[] = [];
  let least = cost({ ss: 1, se: 63, ah: 0, al: 0 });
  for (let tried = 1, later: AcScan[] = []; tried <= (isLuma ? LUMA_MAX_AL : CHROMA_MAX_AL); tried++) {
    later = [{ ss: 1, se: 63, ah: tried, al: tried - 1 }, ...later];
    const total = cost({ ss: 1, se: 63, ah: 0, al: tried }, ...later);
    if (total >= least) continue;
    [al, refinements, least] = [tried, later, total];
  }
  let first: AcScan[] = [{ ss: 1, se: 63, ah: 0, al }];
  let leastFirst = cost(...first);
  for (const split of SPLITS) {
    const halves: AcScan[] = [
      { ss: 1, se: split, ah: 0, al },
      { ss: split + 1, se: 63, ah: 0, al },
    ];
    const total = cost(...halves);
    if (total < leastFirst) [first, leastFirst] = [halves, total];
  }
  return [...first, ...refinements];
}

/** What a scan would take, its tables and headers included. */
function estimateBits(engine: Engine, component: number, { ss, se, ah, al }: AcScan, lineStep: number): number {
  const { loops } = engine;
  loops.beginCounting();
  loops.countAcScan(component, ss, se, ah, al, lineStep);
  const frequencies = engine.frequencies(0);
  const table = makeHuffmanEncoder(frequencies);
  // SOS and DHT segments: 10 and 21 bytes, and one for each symbol.
  return (
    (codedBits(table, frequencies) + (loops.countedExtraBits() >>> 0)) * lineStep + (31 + table.symbols.length) * 8
  );
}
