import type { Engine } from "./engine.ts";
import { codedBits, HUFFMAN_MS, makeHuffmanEncoder } from "./huffman-encoder.ts";
import type { Pause } from "./pause.ts";

/** Ends of the first band that are tried, like in mozjpeg. */
const SPLITS = [2, 5, 8, 12, 18];
const LUMA_MAX_AL = 3;
const CHROMA_MAX_AL = 2;
/** The approximate number of block lines that an estimate reads. */
const SAMPLED_LINES = 24;

/** A scan of a band of AC coefficients with some of their bits (T.81, G.1.1.1). */
export interface AcScan {
  readonly ss: number;
  readonly se: number;
  readonly ah: number;
  readonly al: number;
}

/** A component whose AC coefficients are coded. */
export interface AcComponent {
  /** The engine's component. */
  readonly at: number;
  readonly blockLines: number;
  readonly isLuma: boolean;
  /** The approximate time for coding one line of the component's blocks on a slow machine. */
  readonly lineMs: number;
}

/**
 * Chooses the AC scans of a component that take the fewest bytes: the number of later bits, and the split of the band. It estimates on a
 * sample of lines, because the choice affects one percent of the bytes.
 */
export async function chooseAcScans(engine: Engine, component: AcComponent, pause: Pause): Promise<AcScan[]> {
  const known = new Map<string, number>();
  const cost = async (...scans: AcScan[]) => {
    let total = 0;
    for (const scan of scans) {
      // Scripts share scans.
      const name = Object.values(scan).join();
      const bits = known.get(name) ?? (await estimateBits(engine, component, scan, pause));
      known.set(name, bits);
      total += bits;
    }
    return total;
  };
  let al = 0;
  let refinements: AcScan[] = [];
  let least = await cost({ ss: 1, se: 63, ah: 0, al: 0 });
  for (let tried = 1, later: AcScan[] = []; tried <= (component.isLuma ? LUMA_MAX_AL : CHROMA_MAX_AL); tried++) {
    later = [{ ss: 1, se: 63, ah: tried, al: tried - 1 }, ...later];
    const total = await cost({ ss: 1, se: 63, ah: 0, al: tried }, ...later);
    if (total >= least) continue;
    [al, refinements, least] = [tried, later, total];
  }
  let first: AcScan[] = [{ ss: 1, se: 63, ah: 0, al }];
  let leastFirst = await cost(...first);
  for (const split of SPLITS) {
    const halves: AcScan[] = [
      { ss: 1, se: split, ah: 0, al },
      { ss: split + 1, se: 63, ah: 0, al },
    ];
    const total = await cost(...halves);
    if (total < leastFirst) [first, leastFirst] = [halves, total];
  }
  return [...first, ...refinements];
}

/** The estimated bits of a scan, including its tables and headers. */
async function estimateBits(engine: Engine, component: AcComponent, scan: AcScan, pause: Pause): Promise<number> {
  const { loops } = engine;
  const lineStep = Math.max(1, Math.floor(component.blockLines / SAMPLED_LINES));
  loops.beginCounting();
  loops.beginAcScan(component.at, scan.ss, scan.se, scan.ah, scan.al);
  for (let line = 0; line < component.blockLines; line += lineStep) {
    loops.countAcLines(line, line + 1);
    await pause(component.lineMs);
  }
  loops.endCountedAcScan();
  const frequencies = engine.frequencies(0);
  const table = makeHuffmanEncoder(frequencies);
  await pause(HUFFMAN_MS);
  // SOS and DHT segments: 10 and 21 bytes, and one for each symbol.
  return (
    (codedBits(table, frequencies) + (loops.countedExtraBits() >>> 0)) * lineStep + (31 + table.symbols.length) * 8
  );
}
