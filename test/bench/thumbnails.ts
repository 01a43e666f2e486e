import { openBusinessAccount } from "./support/account.ts";
import type { Target } from "./support/report.ts";
import { benchCrowd } from "./thumbnails/crowd.ts";
import { benchDelay } from "./thumbnails/delay.ts";
import { FilmStudio } from "./thumbnails/film.ts";
import { benchLargeFilm } from "./thumbnails/large-film.ts";
import { startStage } from "./thumbnails/stage.ts";

/** Thumbnails of videos: the cost of one, the time until it is served, and the effect of many at once on other requests. */
export async function benchThumbnails(): Promise<Target[]> {
  await using studio = await FilmStudio.open();
  await using stage = await startStage();
  const { client } = await openBusinessAccount(stage.stack.url);
  const delay = await benchDelay(client, studio);
  const crowd = await benchCrowd(client, studio);
  client.close();
  return [delay, ...crowd, ...(await benchLargeFilm(stage, studio))];
}
