import type { WriteStream } from "node:tty";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TerminalProgress } from "../../../src/cli/terminal/upload-display.ts";

// Progress bars as a terminal shows them.

let written: string;
const stream = (columns: number) => ({ columns, write: (text: string) => (written += text) }) as unknown as WriteStream;

beforeEach(() => {
  written = "";
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => void vi.useRealTimers());

/** The lines of a screen after these writes, with ECMA-48's "cursor up" and "erase to the end". */
function screen(): string[] {
  const lines = [""];
  for (const [at, piece] of written.split("\u001b[").entries()) {
    const [, rows] = /^(\d+)A/.exec(piece) ?? [];
    if (rows !== undefined) lines.splice(lines.length - 1 - Number(rows), Number(rows) + 1, "");
    const [first = "", ...others] = (at === 0 ? piece : piece.replace(/^\d*[A-Z]/, "")).split("\n");
    lines.push(`${lines.pop()}${first}`, ...others);
  }
  return lines.filter(Boolean);
}

const later = () => vi.advanceTimersByTime(1000);

it("Progress redraws one bar for all files and one for each file in progress; failures stay above", () => {
  const progress = new TerminalProgress(stream(100));
  for (const sizeBytes of [1000, 3000, 4000]) progress.found(sizeBytes);
  progress.started("a.jpg", 1000);
  progress.started("b.mp4", 3000);
  progress.sent("a.jpg", 500);
  later();
  progress.sent("b.mp4", 1500);
  expect(screen()).toEqual([
    expect.stringMatching(/^\[#{5} {15}\] {2}25 % 0 of 3 files, .*\/s, 0:03 left$/),
    "[##########          ]  50 % a.jpg",
    "[##########          ]  50 % b.mp4",
  ]);
  later();
  progress.ended({ path: "a.jpg", status: "failed", error: { error: "no picture" } });
  expect(screen()).toEqual([
    "failed: a.jpg: no picture",
    expect.stringMatching(/^\[.*1 of 3 files/),
    "[##########          ]  50 % b.mp4",
  ]);
  progress.close();
  expect(screen()).toEqual(["failed: a.jpg: no picture", expect.stringMatching(/^\[.*1 of 3 files/)]);
});

it("No line is wider than the terminal, and no file name moves the cursor", () => {
  const progress = new TerminalProgress(stream(40));
  const path = `\u001b[2J${"\u65e5\u672c".repeat(30)}.mp4`;
  progress.found(100);
  later();
  progress.started(path, 100);
  expect(written).not.toContain("\u001b[2J");
  for (const line of screen()) {
    const cells = [...line].reduce((sum, character) => sum + (character > "\u1100" ? 2 : 1), 0);
    expect(cells).toBeLessThan(40);
  }
});
