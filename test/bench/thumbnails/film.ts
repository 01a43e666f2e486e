import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const MB = 1024 * 1024;
/** A phone's bit rate at 1080p. */
const BITS_PER_SECOND = 20_000_000;
const CLIP_SECONDS = 6;

/** 1080p H.264 films with sound, of real frames throughout, as long as their size takes; `moov` at the end. */
export class FilmStudio implements AsyncDisposable {
  readonly #folder: string;
  readonly #clip: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#clip = join(folder, "clip.mp4");
  }

  static async open(): Promise<FilmStudio> {
    const studio = new FilmStudio(await mkdtemp(join(tmpdir(), "bench-films-")));
    const length = `duration=${CLIP_SECONDS}`;
    const rate = String(BITS_PER_SECOND);
    await run("ffmpeg", [
      ...[
        "-nostdin",
        "-v",
        "error",
        "-f",
        "lavfi",
        "-i",
        `testsrc2=size=1920x1080:rate=30:${length},noise=alls=24:allf=t`,
      ],
      ...["-f", "lavfi", "-i", `sine=frequency=440:${length}`],
      ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "60", "-pix_fmt", "yuv420p"],
      ...["-b:v", rate, "-minrate", rate, "-maxrate", rate, "-bufsize", rate, "-c:a", "aac", studio.#clip],
    ]);
    return studio;
  }

  /** @returns the path of a film of about this size: the clip over and over again */
  async make(name: string, sizeMb: number): Promise<string> {
    const path = join(this.#folder, name);
    const seconds = (sizeMb * MB * 8) / (BITS_PER_SECOND * 1.01);
    const repeat = ["-stream_loop", String(Math.ceil(seconds / CLIP_SECONDS))];
    await run("ffmpeg", [
      "-nostdin",
      "-v",
      "error",
      ...repeat,
      "-i",
      this.#clip,
      "-t",
      String(seconds),
      "-c",
      "copy",
      path,
    ]);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
