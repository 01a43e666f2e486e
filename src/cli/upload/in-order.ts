/**
 * Works on several items at a time and passes on their results in order. It takes an item only when a worker is free, and holds only
 * results that wait for an earlier result.
 * @throws the error of the work or of a result's receiver, after the other workers have ended
 */
export async function workInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
  take: (result: Result) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const done = new Map<number, Result>();
  let nextItem = 0;
  let nextResult = 0;
  let failure: { readonly error: unknown } | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(action: () => Promise<Value>): Promise<Value> => {
    const value = turn.then(action);
    turn = value.catch(() => undefined);
    return value;
  };
  const run = async () => {
    for (;;) {
      const taken = await inTurn(async () => {
        const { value, done: isOver } = failure === undefined ? await iterator.next() : { done: true };
        if (!isOver) return { item: value as Item, at: nextItem++ };
      });
      if (taken === undefined) return;
      const result = await work(taken.item);
      await inTurn(async () => {
        done.set(taken.at, result);
        for (; done.has(nextResult); nextResult += 1) {
          const ready = done.get(nextResult) as Result;
          done.delete(nextResult);
          await take(ready);
        }
      });
    }
  };
  const workers = Array.from({ length: concurrency }, () =>
    run().catch((error: unknown) => {
      failure ??= { error };
    }),
  );
  await Promise.all(workers);
  // Results after a failed item are still passed on.
  for (const at of [...done.keys()].sort((a, b) => a - b)) await take(done.get(at) as Result);
  await iterator.return?.();
  if (failure !== undefined) throw failure.error;
}
