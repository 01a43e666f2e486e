/** Changes of the same files must come in the order they were made: each is sent when the one before has been answered. */

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;
let asking = 0;
let lastOwnAt = 0;

/** How long a different number of files is taken for our own change, and not for somebody else's. */
const OWN_MS = 10_000;

/** @returns what the change gives, when its turn has come */
export function inOrder<Result>(change: () => Promise<Result>): Promise<Result> {
  waiting += 1;
  const turn = last.then(change, change).finally(() => {
    waiting -= 1;
    noteOwnChange();
  });
  last = turn.catch(() => undefined);
  return turn;
}

/** Whether no other change is under way or waits. */
export function isLast(): boolean {
  return waiting <= 1;
}

export function noteOwnChange(): void {
  lastOwnAt = Date.now();
}

/** Asks for what a change of our own has made different: its answer is of our own, too, however long it takes. */
export async function askForOwn(ask: () => Promise<void>): Promise<void> {
  asking += 1;
  try {
    await ask();
  } finally {
    asking -= 1;
    noteOwnChange();
  }
}

/** Whether files may have come and gone by what was done in this tab. */
export function isOwnChange(): boolean {
  return waiting > 0 || asking > 0 || Date.now() - lastOwnAt < OWN_MS;
}
