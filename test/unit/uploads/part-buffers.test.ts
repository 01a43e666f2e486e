import { afterEach, describe, expect, it } from "vitest";
import { PartBuffers } from "../../../src/services/uploads/part-buffers.ts";

const opened: PartBuffers[] = [];

afterEach(() => {
  for (const buffers of opened.splice(0)) buffers.release();
});

async function hold(count: number): Promise<PartBuffers[]> {
  const holders = Array.from({ length: count }, () => new PartBuffers());
  opened.push(...holders);
  for (const holder of holders) await holder.require();
  return holders;
}

describe("a second buffer", () => {
  it("is there while buffers are plenty, and the last ones are kept for others", async () => {
    const [holder] = await hold(5);
    const spare = holder?.tryOpenSpare();
    expect(spare?.length).toBe(0);
    expect(holder?.tryOpenSpare()).toBeUndefined();
    await hold(4);
    if (spare !== undefined) holder?.close(spare);
    expect(holder?.tryOpenSpare()).toBeUndefined();
  });

  it("is empty, though it was used before", async () => {
    const [holder] = await hold(1);
    const spare = holder?.tryOpenSpare();
    spare?.append(new Uint8Array([1, 2, 3]));
    if (spare !== undefined) holder?.close(spare);
    expect(holder?.tryOpenSpare()?.length).toBe(0);
  });
});

describe("the first buffer", () => {
  it("is one of ten; who comes later waits until one is given back", async () => {
    const [first, second] = await hold(10);
    const late = new PartBuffers();
    opened.push(late);
    expect(first?.isWanted).toBe(false);
    const waiting = late.require();
    expect(first?.isWanted).toBe(true);
    expect(late.isWanted).toBe(false);
    second?.release();
    await waiting;
    expect(first?.isWanted).toBe(false);
    await late.require();
  });
});
