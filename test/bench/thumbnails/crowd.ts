import { readFile } from "node:fs/promises";
import type { Client } from "../support/client.ts";
import { reportFigure, reportTarget, type Target } from "../support/report.ts";
import { median } from "../support/rounds.ts";
import type { FilmStudio } from "./film.ts";
import { uploadFilms } from "./film-upload.ts";
import { untilVisible } from "./visible.ts";

const FILMS = 20;
const FILM_MB = 4;
const ROUNDS = 3;
const IDLE_MS = 3000;
/** The polls of 20 waiting clients must not keep the API busy. */
const POLL_MS = 200;
/** Slow enough for the tier's requests a minute. */
const PAUSE_MS = 60;
/** The target on a quiet machine of two processors. */
const MAX_SECONDS = 12;

/** 20 videos at once: all get their thumbnails, and the API answers nearly as fast as when idle. */
export async function benchCrowd(client: Client, studio: FilmStudio): Promise<Target[]> {
  console.log(`thumbnails: ${FILMS} videos of ${FILM_MB} MB at once; times of GET /images during it`);
  const film = await readFile(await studio.make("short.mp4", FILM_MB));
  const films = Array<Buffer>(FILMS).fill(film);
  const idle: number[] = [];
  const busy: number[] = [];
  const seconds: number[] = [];
  let visible = 0;
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(...(await sample(client, pause(IDLE_MS))));
    const results = await uploadFilms(client, films);
    const answered = performance.now();
    const all = Promise.all(
      results.map(async ({ thumbnailUrl }) => {
        await untilVisible(thumbnailUrl, POLL_MS);
        visible++;
      }),
    );
    busy.push(...(await sample(client, all)));
    seconds.push((performance.now() - answered) / 1000);
  }
  reportFigure("idle p50", median(idle), "ms");
  reportFigure("p50 during it", median(busy), "ms");
  return [
    reportTarget({ name: "until all served", value: median(seconds), atMost: MAX_SECONDS, unit: "s" }),
    reportTarget({ name: "thumbnails", value: visible / ROUNDS, atLeast: FILMS }),
    reportTarget({ name: "p50 over idle", value: median(busy) / median(idle), atMost: 2 }),
  ];
}

/** The times of requests, one after the other, until a promise has settled. */
async function sample(client: Client, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    times.push((await client.call(200, "/images?limit=20")).seconds * 1000);
    await Promise.race([pause(PAUSE_MS), over]);
  }
  await over;
  return times;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
