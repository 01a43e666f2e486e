let last: Promise<unknown> = Promise.resolve();

/**
 * Runs tasks of this isolate one after the other: the memory of two images being decoded at once would be too much.
 * @throws what the task throws; the tasks behind it run all the same
 */
export function oneAtATime<Result>(task: () => Promise<Result>): Promise<Result> {
  const result = last.then(task, task);
  last = result.catch(() => undefined);
  return result;
}
