import type { RegisteredIntent } from "../../meter/overdue-registry.ts";
import type { Services } from "../context.ts";
import { type Page, toPage } from "./page.ts";

/** The changes of all accounts whose replay failed, those that are known longest first. @param after the `next` of the page before */
export async function listOverdueIntents(
  { serviceMeter }: Pick<Services, "serviceMeter">,
  after = 0,
): Promise<Page<RegisteredIntent>> {
  return toPage((limit) => serviceMeter().listIntents(after, limit));
}
