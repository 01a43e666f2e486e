/**
 * Called between steps of the work. The work continues when the promise resolves.
 * @param stepMs the approximate time of the step that just ended, on a slow machine
 * @throws Error if no memory is free for the work
 */
export type Pause = (stepMs: number) => Promise<void> | undefined;
