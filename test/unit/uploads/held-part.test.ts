import { describe, expect, it } from "vitest";
import { PART_BYTES } from "../../../src/domain/parts.ts";
import { HeldPart } from "../../../src/services/uploads/receive/held-part.ts";
import { largeFiles, smallFiles, UploadMemory } from "../../../src/services/uploads/receive/upload-memory.ts";

const MIB = 1024 * 1024;
const LARGE_BYTES = largeFiles.freeBytes;
const SMALL_BYTES = smallFiles.freeBytes;

function counted(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 255);
}

function openPart(maxBytes: number, isExact: boolean): HeldPart {
  return new HeldPart(new UploadMemory().open(maxBytes, isExact), maxBytes);
}

async function fill(part: HeldPart, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    await part.makeRoom();
    at += part.append(bytes.subarray(at, at + 50_001));
  }
}

describe("a held part", () => {
  it.each([0, 1, 65_536, 65_537, 524_288, 524_289, 3 * MIB + 7, PART_BYTES])(
    "of %d bytes keeps every byte, and its first ones in one piece",
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

  it("refuses more than its request can bring", async () => {
    const part = openPart(100_000, true);
    await fill(part, new Uint8Array(100_000));
    await expect(part.makeRoom()).rejects.toMatchObject({ statusCode: 400 });
    part.release({ wasStored: false });
  });

  it("holds nothing of the budgets up to 64 KiB, then what has come and at most a block more", async () => {
    const part = openPart(PART_BYTES, true);
    await fill(part, new Uint8Array(65_536));
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
    await fill(part, new Uint8Array(2 * MIB));
    const heldBytes = LARGE_BYTES - largeFiles.freeBytes;
    expect(heldBytes).toBeGreaterThanOrEqual(part.length);
    expect(heldBytes).toBeLessThanOrEqual(part.length + 512 * 1024);
    part.release({ wasStored: false });
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
  });
});

describe("the memory of one request", () => {
  it("comes from the small files' budget for a file known to be small, and holds others up while they wait", async () => {
    const memory = new UploadMemory();
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

  it("of a file of unknown size moves to the large files' budget once the file is not small any more", async () => {
    const share = new UploadMemory().open(PART_BYTES, false);
    expect(await share.growTo(MIB)).toBe(true);
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
    expect(await share.growTo(2 * MIB)).toBe(true);
    expect([smallFiles.freeBytes, largeFiles.freeBytes]).toEqual([SMALL_BYTES, LARGE_BYTES - 2 * MIB]);
    share.release();
    expect(largeFiles.freeBytes).toBe(LARGE_BYTES);
  });
});
