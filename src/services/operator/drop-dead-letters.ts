import type { Services } from "../context.ts";

/** Takes dead letters off the list for good. What a queue still has of them is acknowledged when it comes. @returns how many there were */
export async function dropDeadLetters(
  { serviceMeter }: Pick<Services, "serviceMeter">,
  ids: readonly string[],
): Promise<number> {
  return serviceMeter().dropLetters(ids);
}
