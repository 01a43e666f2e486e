import type { Table } from "../compression/table.ts";
import type { Client } from "../support/client.ts";
import { isMet, type Target } from "../support/report.ts";
import { median } from "../support/rounds.ts";

export const ROUNDS = 15;
/** A slow answer is slow every time. */
const SLOW_MS = 300;
const SLOW_ROUNDS = 3;

export interface Library {
  readonly size: number;
  readonly accountId: string;
  readonly client: Client;
  readonly folders: readonly string[];
}

/** p50 of each library, asked in turn; the first round warms up. */
export async function measure(
  libraries: readonly Library[],
  ask: (library: Library) => Promise<number>,
): Promise<number[]> {
  const times = libraries.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, library] of libraries.entries()) {
      const taken = times[at] ?? [];
      if (taken.length > SLOW_ROUNDS && median(taken) > SLOW_MS) continue;
      taken.push(await ask(library));
    }
  }
  return times.map((taken) => median(taken.slice(1)));
}

/** One line of the table; the last library is compared with the first. */
export function report(
  table: Table,
  name: string,
  times: readonly number[],
  rowsRead: string,
  { atMost, atMostMs }: { atMost?: number | undefined; atMostMs?: number | undefined },
): Target[] {
  const last = times.at(-1) ?? Number.NaN;
  const ratio = last / (times[0] ?? Number.NaN);
  const targets: Target[] = [
    ...(atMost === undefined ? [] : [{ name, value: ratio, atMost }]),
    ...(atMostMs === undefined ? [] : [{ name, value: last, atMost: atMostMs, unit: "ms" }]),
  ];
  table.print([
    name,
    ...times.map((time) => time.toFixed(1)),
    ratio.toFixed(2),
    rowsRead,
    targets.map((target) => `${target.atMost}${target.unit ?? ""}`).join(", "),
    targets.length === 0 ? "" : targets.every(isMet) ? "met" : "MISSED",
  ]);
  return targets;
}
