import type { WriteStream } from "node:tty";
import { toHumanSize } from "../../domain/human-size.ts";
import type { Outcome } from "../upload/outcome.ts";
import { failureText } from "../upload/outcome.ts";
import { printable } from "./printable.ts";

/** The progress of uploads on stderr. */
export interface UploadDisplay {
  /** Counts one more file that is found and will be sent. */
  found(sizeBytes: number): void;
  started(path: string, sizeBytes: number): void;
  sent(path: string, sentBytes: number): void;
  ended(outcome: Outcome): void;
  note(text: string): void;
  /** Clears the progress line before another line, because stdout may be the same terminal. */
  clear(): void;
  /** Ends the display. */
  close(): void;
}

/** Prints a line for each finished file. */
export class PlainProgress implements UploadDisplay {
  readonly #write: (text: string) => void;
  readonly #isQuiet: boolean;

  constructor(write: (text: string) => void, isQuiet: boolean) {
    this.#write = write;
    this.#isQuiet = isQuiet;
  }

  found(): void {}
  started(): void {}
  sent(): void {}

  ended(outcome: Outcome): void {
    const text = outcomeText(outcome);
    if (outcome.status === "failed" || !this.#isQuiet) this.#write(`${text}\n`);
  }

  note(text: string): void {
    if (!this.#isQuiet) this.#write(`${printable(text)}\n`);
  }

  clear(): void {}
  close(): void {}
}

const REDRAW_MS = 100;
const BAR_CELLS = 20;

/** Draws a bar for all files, and a bar for each large file that is being sent, over the previous bars. */
export class TerminalProgress implements UploadDisplay {
  readonly #stream: WriteStream;
  readonly #active = new Map<string, { sizeBytes: number; sentBytes: number }>();
  readonly #startedAt = Date.now();
  #files = 0;
  #totalBytes = 0;
  #doneFiles = 0;
  #doneBytes = 0;
  #sentBytes = 0;
  #drawnLines = 0;
  #drawnAt = 0;

  constructor(stream: WriteStream) {
    this.#stream = stream;
  }

  found(sizeBytes: number): void {
    this.#files += 1;
    this.#totalBytes += sizeBytes;
    this.#draw();
  }

  started(path: string, sizeBytes: number): void {
    this.#active.set(path, { sizeBytes, sentBytes: 0 });
    this.#draw();
  }

  sent(path: string, sentBytes: number): void {
    const file = this.#active.get(path);
    if (file === undefined) return;
    this.#sentBytes += Math.max(0, sentBytes - file.sentBytes);
    file.sentBytes = sentBytes;
    this.#draw();
  }

  ended(outcome: Outcome): void {
    const { path } = outcome;
    this.#doneBytes += this.#active.get(path)?.sizeBytes ?? 0;
    this.#active.delete(path);
    this.#doneFiles += 1;
    if (outcome.status === "failed") this.#above(outcomeText(outcome));
    this.#draw();
  }

  note(text: string): void {
    this.#above(printable(text));
    this.#draw();
  }

  clear(): void {
    this.#stream.write(this.#erasure());
    this.#drawnLines = 0;
    this.#drawnAt = 0;
  }

  close(): void {
    this.#draw(true);
  }

  #above(text: string): void {
    this.clear();
    this.#stream.write(`${text}\n`);
  }

  #erasure(): string {
    return this.#drawnLines === 0 ? "" : `\u001b[${this.#drawnLines}A\u001b[J`;
  }

  #draw(isLast = false): void {
    const now = Date.now();
    if (!isLast && now - this.#drawnAt < REDRAW_MS) return;
    const width = Math.max(20, (this.#stream.columns || 80) - 1);
    const lines = [this.#total(now), ...(isLast ? [] : this.#each())].map((line) => cut(line, width));
    this.#stream.write(`${this.#erasure()}${lines.join("\n")}\n`);
    this.#drawnLines = lines.length;
    this.#drawnAt = now;
  }

  #total(now: number): string {
    const active = [...this.#active.values()].reduce((sum, { sentBytes }) => sum + sentBytes, 0);
    const done = this.#doneBytes + active;
    const perSecond = this.#sentBytes / Math.max(1, (now - this.#startedAt) / 1000);
    const left = this.#totalBytes - done;
    const eta = perSecond > 0 && left > 0 ? `, ${duration(left / perSecond)} left` : "";
    const bytes = `${toHumanSize(done)} of ${toHumanSize(this.#totalBytes)}`;
    return `${bar(done, this.#totalBytes)} ${this.#doneFiles} of ${this.#files} files, ${bytes}, ${toHumanSize(perSecond)}/s${eta}`;
  }

  #each(): string[] {
    return [...this.#active].map(
      ([path, { sentBytes, sizeBytes }]) => `${bar(sentBytes, sizeBytes)} ${printable(path)}`,
    );
  }
}

function outcomeText(outcome: Outcome): string {
  const path = printable(outcome.path);
  switch (outcome.status) {
    case "stored":
      return `stored ${path} (${toHumanSize(outcome.sizeBytes)})`;
    case "known":
      return `there already: ${path}`;
    case "would-send":
      return `would be sent: ${path} (${toHumanSize(outcome.sizeBytes)})`;
    case "failed":
      return `failed: ${path}: ${printable(failureText(outcome.error))}`;
  }
}

function bar(done: number, all: number): string {
  const share = all === 0 ? 0 : Math.min(1, done / all);
  const cells = Math.round(share * BAR_CELLS);
  return `[${"#".repeat(cells)}${" ".repeat(BAR_CELLS - cells)}] ${String(Math.floor(share * 100)).padStart(3)} %`;
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const text = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${text(minutes)}:${text(whole % 60)}` : `${minutes}:${text(whole % 60)}`;
}

/** A line that wraps could not be overwritten. East Asian characters and pictures take two cells. */
function cut(line: string, width: number): string {
  let cells = 0;
  let shown = "";
  for (const character of line) {
    cells += (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
    if (cells > width) return `${shown.slice(0, -3)}...`;
    shown += character;
  }
  return shown;
}
