import { readFile } from "node:fs/promises";
import type { Client } from "../support/client.ts";
import { reportSpread, reportTarget, type Target } from "../support/report.ts";
import { median } from "../support/rounds.ts";
import type { FilmStudio } from "./film.ts";
import { uploadFilms } from "./film-upload.ts";
import { untilVisible } from "./visible.ts";

const FILM_MB = 20;
const ROUNDS = 9;
const POLL_MS = 20;
/** The target on a quiet machine of two processors. */
const MAX_SECONDS = 0.7;

/** The time from an upload's answer until its thumbnail is served. */
export async function benchDelay(client: Client, studio: FilmStudio): Promise<Target> {
  console.log(`thumbnails: from the answer to the upload of a ${FILM_MB} MB video to its thumbnail being served`);
  const film = await readFile(await studio.make("film.mp4", FILM_MB));
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [result] = await uploadFilms(client, [film]);
    const answered = performance.now();
    await untilVisible(result?.thumbnailUrl, POLL_MS);
    seconds.push((performance.now() - answered) / 1000);
  }
  reportSpread("delay", seconds, "s");
  return reportTarget({ name: "median", value: median(seconds), atMost: MAX_SECONDS, unit: "s" });
}
