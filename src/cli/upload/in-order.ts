/**
 * Works on some items at a time, and hands on what became of them in the items' order. It takes no item before somebody can work on it,
 * so that nothing is held of those to come; of those that are done, the results that wait for an earlier one.
 * @throws what the work, or taking a result, throws; the others end first
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
  // Results behind one that failed are results all the same.
  for (const at of [...done.keys()].sort((a, b) => a - b)) await take(done.get(at) as Result);
  await iterator.return?.();
  if (failure !== undefined) throw failure.error;
}
