import type { DeadLetter } from "../../meter/dead-letters.ts";
import type { Services } from "../context.ts";
import { type Page, toPage } from "./page.ts";

/** Messages that the dead-letter queues could not deliver either, the oldest first. @param after the `next` of the page before */
export async function listDeadLetters(
  { serviceMeter }: Pick<Services, "serviceMeter">,
  after = 0,
): Promise<Page<DeadLetter>> {
  return toPage((limit) => serviceMeter().listLetters(after, limit));
}
