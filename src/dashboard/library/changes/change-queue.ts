/** Changes of the same files must arrive in order, so each is sent after the response to the earlier change. */

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;
let asking = 0;
let lastOwnAt = 0;

/** If the number of files differs within this time, this tab's own change is taken for the cause. */
const OWN_MS = 10_000;

/** Runs the change after all earlier changes. */
export function inOrder<Result>(change: () => Promise<Result>): Promise<Result> {
  waiting += 1;
  const turn = last.then(change, change).finally(() => {
    waiting -= 1;
    noteOwnChange();
  });
  last = turn.catch(() => undefined);
  return turn;
}

/** Whether no other change is in progress or waiting. */
export function isLast(): boolean {
  return waiting <= 1;
}

export function noteOwnChange(): void {
  lastOwnAt = Date.now();
}

/** Refetches after a change of this tab. The different number of files is then attributed to this tab, however long the response takes. */
export async function refetchOwn(ask: () => Promise<void>): Promise<void> {
  asking += 1;
  try {
    await ask();
  } finally {
    asking -= 1;
    noteOwnChange();
  }
}

/** Whether this tab may have caused a different number of files. */
export function isOwnChange(): boolean {
  return waiting > 0 || asking > 0 || Date.now() - lastOwnAt < OWN_MS;
}
