import { makePictures } from "./previews/pictures.ts";
import type { Target } from "./support/report.ts";
import { benchBesideSharp } from "./variants/beside-sharp.ts";
import { benchHits } from "./variants/hits.ts";
import { benchMemory } from "./variants/memory.ts";
import { benchPage } from "./variants/page.ts";
import { benchProfiles } from "./variants/profiles.ts";
import { benchWait } from "./variants/wait.ts";

/** Variants: the cost of one beside sharp, its memory and the wait of others, a page of new ones, one that is stored, and colour profiles. */
export async function benchVariants(): Promise<Target[]> {
  const pictures = await makePictures();
  const photos = pictures.filter(({ name }) => name.startsWith("JPEG 12 MP"));
  const targets = await benchBesideSharp(pictures);
  for (const photo of photos) targets.push(await benchWait(photo));
  for (const photo of photos) targets.push(await benchMemory(photo));
  for (const photo of photos) targets.push(await benchPage(photo));
  for (const photo of photos.slice(0, 1)) targets.push(await benchHits(photo));
  targets.push(...(await benchProfiles()));
  return targets;
}
