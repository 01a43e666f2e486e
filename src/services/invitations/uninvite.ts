import { deleteInvitation } from "../../db/directory/invitations.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Services } from "../context.ts";

/**
 * Takes an invitation back. An account that was opened by it stays.
 * @throws ServiceError 404
 */
export async function uninvite({ directory }: Pick<Services, "directory">, email: string): Promise<void> {
  if (!(await deleteInvitation(directory, email))) throw ERRORS.InvitationNotFound();
}
