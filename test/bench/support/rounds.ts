export interface Pairs {
  readonly product: readonly number[];
  readonly bare: readonly number[];
}

/**
 * Measures both sides in turn, so that other work of the machine affects both, and drops the first pair. @returns the figures; those with
 * the same index were taken one after the other
 */
export async function measureInTurn(
  rounds: number,
  sides: { readonly product: () => Promise<number>; readonly bare: () => Promise<number> },
): Promise<Pairs> {
  const product: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    product.push(await sides.product());
    bare.push(await sides.bare());
  }
  return { product: product.slice(1), bare: bare.slice(1) };
}

/** Runs `task` for 0 to `count - 1`, `concurrency` at a time. @returns tasks a second */
export async function tasksPerSecond(
  count: number,
  concurrency: number,
  task: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) await task(next++);
    }),
  );
  return (count * 1000) / (performance.now() - started);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
