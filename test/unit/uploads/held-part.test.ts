import { afterEach, describe, expect, it, vi } from "vitest";
import { PART_BYTES } from "../../../src/domain/parts.ts";
import { WINDOW_BYTES } from "../../../src/multipart/byte-window.ts";
import type { ClientBody, FileSource } from "../../../src/services/uploads/receive/client-body.ts";
import { HeldPart, IncomingFile } from "../../../src/services/uploads/receive/incoming-file.ts";
import { largeFiles, smallFiles, UploadMemory, windows } from "../../../src/services/uploads/receive/upload-memory.ts";

const MIB = 1024 * 1024;
const LARGE_BYTES = largeFiles.freeBytes;
const SMALL_BYTES = smallFiles.freeBytes;
const WINDOWS_BYTES = windows.freeBytes;

afterEach(() => {
  vi.useRealTimers();
});

function counted(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 255);
}

function openPart(maxBytes: number, isExact: boolean): HeldPart {
  return new HeldPart(new UploadMemory("account").open(maxBytes, isExact), maxBytes);
}

async function fill(part: HeldPart, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    await part.makeRoom();
    at += part.append(bytes.subarray(at, at + 50_001));
  }
}

describe("Held part", () => {
  it.each([0, 1, 65_536, 65_537, 524_288, 524_289, 3 * MIB + 7, PART_BYTES])(
    "A held part of %d bytes keeps every byte, and its first bytes in one piece",
    async (length) => {
      const bytes = counted(length);
      for (const part of [openPart(length, true), openPart(PART_BYTES, false)]) {
        await fill(part, bytes);
        expect([part.length, part.isFull]).toEqual([length, length === PART_BYTES]);
        expect(Buffer.compare(Buffer.concat([...part.pieces()]), bytes)).toBe(0);
        expect(Buffer.compare(part.head, bytes.subarray(0, 512 * 1024))).toBe(0);
        expect(part.withWhole((whole) => Buffer.compare(whole, bytes))).toBe(0);
        part.release({ wasStored: true });
      }
      expect([largeFiles.freeBytes, smallFiles.freeBytes]).toEqual([LARGE_BYTES, SMALL_BYTES]);
    },
  );

  it("A held part refuses more bytes than its request can bring", async () => {
    const part = openPart(100_000, true);
    await fill(part, new Uint8Array(100_000));
    await expect(part.makeRoom()).rejects.toMatchObject({ statusCode: 400 });
    part.release({ wasStored: false });
  });

  it("A held part takes no memory before a byte arrives, then at most a block more than arrived", async () => {
    const part = openPart(PART_BYTES, true);
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
    await fill(part, new Uint8Array(1));
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES - 65_536);
    await fill(part, new Uint8Array(2 * MIB));
    const heldBytes = LARGE_BYTES - largeFiles.freeBytes;
    expect(heldBytes).toBeGreaterThanOrEqual(part.length);
    expect(heldBytes).toBeLessThanOrEqual(part.length + 512 * 1024);
    part.release({ wasStored: false });
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
  });
});

describe("The second part of an image", () => {
  /** A file of this length, sent in chunks of 100,000 bytes, whose first part was read. */
  async function receiveFirst(bytes: Uint8Array) {
    let sent = 0;
    const body: Pick<ClientBody, "isSizeKnown" | "remainingContentBytes"> & FileSource = {
      isSizeKnown: true,
      get remainingContentBytes() {
        return bytes.length - sent;
      },
      read: async () => {
        const chunk = bytes.subarray(sent, sent + 100_000);
        sent += chunk.length;
        return chunk.length === 0 ? undefined : chunk;
      },
    };
    const memory = new UploadMemory("account");
    const incoming = new IncomingFile("a.jpg", body, { body: body as ClientBody & FileSource, memory });
    const first = incoming.openPart();
    await incoming.fill(first);
    return { incoming, first, second: incoming.openPart() };
  }

  it("A joined second part follows the first part's bytes, and is released with the first part", async () => {
    const bytes = counted(PART_BYTES + 3 * MIB + 7);
    const { incoming, first, second } = await receiveFirst(bytes);
    expect(await incoming.fillWithoutWaiting(second)).toBe(true);
    first.join(second);
    expect(first.length).toBe(bytes.length);
    expect(Buffer.compare(Buffer.concat([...first.pieces()]), bytes)).toBe(0);
    expect(Buffer.compare(Buffer.concat([...first.pieces(PART_BYTES - 5)]), bytes.subarray(PART_BYTES - 5))).toBe(0);
    expect(Buffer.compare(first.read(PART_BYTES - 5, 10), bytes.subarray(PART_BYTES - 5, PART_BYTES + 5))).toBe(0);
    first.release({ wasStored: true });
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
  });

  it.each([
    ["is not free", MIB, 0, true],
    ["is free, but another account waits for more", 4 * MIB, 8 * MIB, false],
  ])(
    "A second part is not waited for if memory %s, and its bytes stay",
    async (_, freeBytes, wantedBytes, takesSome) => {
      const bytes = counted(PART_BYTES + 3 * MIB);
      const { incoming, first, second } = await receiveFirst(bytes);
      hold(LARGE_BYTES - PART_BYTES - freeBytes, wantedBytes);
      expect(await incoming.fillWithoutWaiting(second)).toBe(false);
      expect(second.length > 0).toBe(takesSome);
      first.release({ wasStored: true });
      for (const release of held.splice(0)) await release();
      await incoming.fill(second);
      expect(Buffer.compare(Buffer.concat([...second.pieces()]), bytes.subarray(PART_BYTES))).toBe(0);
      second.release({ wasStored: true });
      expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
    },
  );

  const held: (() => Promise<void>)[] = [];

  /** Another account holds memory, and may wait for more. */
  function hold(bytes: number, waitsForBytes = 0): void {
    const lease = largeFiles.tryTake(bytes);
    const waiting =
      waitsForBytes === 0 ? undefined : largeFiles.take(waitsForBytes, 5000, { id: "other", maxShare: 1 });
    held.push(async () => {
      lease?.release();
      (await waiting)?.release();
    });
  }
});

describe("Memory of one request", () => {
  it("A file that is known to be small takes memory of the small files' budget, and others wait", async () => {
    const memory = new UploadMemory("account");
    const share = memory.open(900_000, true);
    expect(await share.growTo(900_000)).toBe(true);
    expect([smallFiles.freeBytes, largeFiles.freeBytes]).toEqual([SMALL_BYTES - 900_000, LARGE_BYTES]);
    expect(memory.holdsUpOthers).toBe(false);
    const waiting = smallFiles.take(SMALL_BYTES, 5000);
    expect(memory.holdsUpOthers).toBe(true);
    share.release();
    (await waiting)?.release();
    expect(memory.holdsUpOthers).toBe(false);
  });

  it("A file of unknown size moves to the large files' budget once it is no longer small", async () => {
    const share = new UploadMemory("account").open(PART_BYTES, false);
    expect(await share.growTo(MIB)).toBe(true);
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
    expect(await share.growTo(2 * MIB)).toBe(true);
    expect([smallFiles.freeBytes, largeFiles.freeBytes]).toEqual([SMALL_BYTES, LARGE_BYTES - 2 * MIB]);
    share.release();
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
  });

  it("An account has memory for two full parts: one is filled while the other is sent", async () => {
    const parts = [1, 2].map(() => new UploadMemory("account").open(PART_BYTES, true));
    for (const part of parts) expect(await part.growTo(PART_BYTES)).toBe(true);
    for (const part of parts) part.release();
  });

  it("One account takes at most a third of each budget, and another account has the rest", async () => {
    const files = Array.from({ length: SMALL_BYTES / 3 / MIB + 1 }, () => new UploadMemory("account").open(MIB, true));
    const growing = files.map((file) => file.growTo(MIB));
    expect(new Set(await Promise.all(growing.slice(0, -1)))).toEqual(new Set([true]));
    expect(await Promise.race([growing.at(-1), "waits"])).toBe("waits");
    const other = new UploadMemory("other").open(MIB, true);
    expect(await other.growTo(MIB)).toBe(true);
    files[0]?.release();
    expect(await growing.at(-1)).toBe(true);
    for (const file of [...files, other]) file.release();
    expect(smallFiles.freeBytes).toBe(SMALL_BYTES);
  });

  it("A request holds the window of its body until it is closed; an account beyond a third of the memory waits, then gets 503", async () => {
    vi.useFakeTimers();
    const count = Math.floor(windows.freeBytes / 3 / WINDOW_BYTES);
    const open = Array.from({ length: count }, () => new UploadMemory("account"));
    for (const memory of open) await memory.openWindow();
    const other = new UploadMemory("other");
    await other.openWindow();
    const refused = expect(new UploadMemory("account").openWindow()).rejects.toMatchObject({
      statusCode: 503,
      details: { retryAfter: expect.any(Number) },
    });
    expect([open[0]?.holdsUpOthers, other.holdsUpOthers]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(20_000);
    await refused;
    const next = new UploadMemory("account");
    const opening = next.openWindow();
    open[0]?.closeWindow();
    await opening;
    for (const memory of [...open, other, next]) memory.closeWindow();
    expect(windows.freeBytes).toBe(WINDOWS_BYTES);
  });
});
