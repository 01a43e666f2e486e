/** What a codec is given by whoever runs it: media/ loads nothing and knows no runtime. */
export interface CodecTools {
  /** The format's own engine, compiled. */
  readonly engine: WebAssembly.Module;
  /**
   * Called between steps of the work. A promise means that others are to have the thread before the work goes on.
   * @param stepMs what the computing since the last call takes on a slow machine, about
   */
  yieldIfDue(stepMs: number): Promise<void> | undefined;
}
