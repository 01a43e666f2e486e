/**
 * Called between steps of the work, which goes on when it has resolved.
 * @param stepMs what the computing since the last call takes on a slow machine, about
 * @throws Error where there is no memory for what the work holds by now
 */
export type Pause = (stepMs: number) => Promise<void> | undefined;
