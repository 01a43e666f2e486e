import { benchKinds } from "./previews/kinds.ts";
import { makePictures } from "./previews/pictures.ts";
import { benchScreen } from "./previews/screen.ts";
import type { Target } from "./support/report.ts";

/** Previews of images: the cost of one by its kind, and the time until a screen of photos is visible. */
export async function benchPreviews(): Promise<Target[]> {
  console.log("previews: each kind in a fresh workerd; processor time without reading");
  const pictures = await makePictures();
  const targets = await benchKinds(pictures);
  console.log("previews: a screen of 24 tiles, 6 connections");
  for (const photo of pictures.filter(({ name }) => name.startsWith("JPEG 12 MP"))) {
    targets.push(await benchScreen(photo, photo.name.endsWith("progressive") ? 0.7 : 1));
  }
  return targets;
}
