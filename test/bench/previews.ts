import { benchKinds } from "./previews/kinds.ts";
import { makePictures } from "./previews/pictures.ts";
import { benchScreen } from "./previews/screen.ts";
import type { Target } from "./support/report.ts";

/** Previews of images: what one costs by its kind, and how soon a screen of photos is there. */
export async function benchPreviews(): Promise<Target[]> {
  console.log("previews: of each kind in a workerd of its own, without the time that reading takes");
  const pictures = await makePictures();
  const targets = await benchKinds(pictures);
  console.log("previews: a screen of 24 tiles, 6 connections");
  for (const photo of pictures.filter(({ name }) => name.startsWith("JPEG 12 MP"))) {
    targets.push(await benchScreen(photo));
  }
  return targets;
}
