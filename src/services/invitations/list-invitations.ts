import { listInvitations as list } from "../../db/directory/invitations.ts";
import type { Invitation } from "../../db/directory/schema.ts";
import type { Services } from "../context.ts";

const PAGE = 100;

/**
 * A page of the invitations, used and expired ones too, by email.
 * @param after the `next` of the page before
 */
export async function listInvitations(
  { directory }: Pick<Services, "directory">,
  after = "",
): Promise<{ readonly invitations: Invitation[]; readonly next: string | null }> {
  const invitations = await list(directory, after, PAGE);
  return { invitations, next: invitations.length < PAGE ? null : (invitations.at(-1)?.email ?? null) };
}
