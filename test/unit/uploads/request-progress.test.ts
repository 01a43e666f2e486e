import { describe, expect, it } from "vitest";
import { RequestProgress } from "../../../src/services/uploads/upload-run.ts";

const TIMEOUT_SECONDS = 120;
const STUCK_MS = 3 * TIMEOUT_SECONDS * 1000;
const DAY_MS = 24 * 60 * 60_000;

function open() {
  const state = { receivedBytes: 0, now: 0 };
  const progress = new RequestProgress(state, TIMEOUT_SECONDS, () => state.now);
  return { state, progress };
}

describe("Request progress", () => {
  it("A request is alive for three timeouts after its last byte", () => {
    const { state, progress } = open();
    state.receivedBytes = 10;
    state.now = 1000;
    expect(progress.isAlive).toBe(true);
    state.now += STUCK_MS - 1;
    expect(progress.isAlive).toBe(true);
    state.now += 1;
    expect([progress.isAlive, progress.isStuck]).toEqual([false, true]);
  });

  it("A request is alive for three timeouts after its last file was stored", () => {
    const { state, progress } = open();
    expect(progress.isAlive).toBe(true);
    state.now = STUCK_MS - 1;
    progress.fileEnded();
    expect(progress.isAlive).toBe(true);
    state.now += STUCK_MS - 1;
    expect(progress.isAlive).toBe(true);
  });

  it("A request is alive for a day at a byte a second, and no longer", () => {
    const { state, progress } = open();
    for (; state.now < DAY_MS; state.now += 30_000) {
      state.receivedBytes += 30;
      expect(progress.isAlive).toBe(true);
    }
    state.receivedBytes += 30;
    expect([progress.isAlive, progress.isStuck, progress.isTooLong]).toEqual([false, false, true]);
  });
});
