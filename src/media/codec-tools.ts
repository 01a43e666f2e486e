/** Tools that the caller gives to a codec: media/ loads nothing and knows no runtime. */
export interface CodecTools {
  /** The format's own engine, compiled. */
  readonly engine: WebAssembly.Module;
  /**
   * Called between steps of the work. If it returns a promise, the work continues when the promise resolves; until then other tasks have
   * the thread.
   * @param stepMs the approximate time of the step that just ended, on a slow machine
   */
  yieldIfDue(stepMs: number): Promise<void> | undefined;
}
