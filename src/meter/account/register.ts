import { insertAccount } from "../../db/directory/accounts.ts";
import type { Account, Key } from "../../db/directory/schema.ts";
import { putLibrary } from "../../db/library/library-state.ts";
import { accountMarker } from "../../domain/object-key.ts";
import type { NewSession } from "../books/session-store.ts";
import type { MeterContext } from "./context.ts";

/**
 * Opens the account with an upload key, and opens a session. If that fails, everything is undone, at once or by the alarm, because the
 * client gets an error.
 * @param invitation the hash of the invitation's code; null if the account needs no invitation
 * @returns false if the email is taken, or was not invited
 */
export async function register(
  { tables, runner }: MeterContext,
  account: Account,
  uploadKey: Key,
  session: NewSession,
  invitation: string | null,
): Promise<boolean> {
  // A repeated call may find the account open.
  if (!tables.ledger.exists || tables.intents.find("register") !== undefined) {
    const registered = await runner.register(
      () => {
        tables.ledger.create(account, Date.now());
        tables.credentials.setProfile(account);
        tables.credentials.setPassword(account.passwordHash);
        tables.credentials.learnKey(uploadKey);
      },
      async ({ directory, library, files, accountId }) => {
        await putLibrary(library, { accountId, movedAt: account.createdAt }, "here");
        if (!(await insertAccount(directory, account, uploadKey, { invitation }))) return false;
        await files.put(accountMarker(accountId), "");
        return true;
      },
    );
    if (!registered) return false;
  }
  tables.devices.meet(session.deviceDigests, Date.now());
  tables.sessions.open(session, Date.now());
  return true;
}

/** Undoes a registration whose answer was lost: the client got an error. */
export async function unregister({ tables, runner }: MeterContext): Promise<void> {
  if (!tables.ledger.exists) return;
  tables.intents.put({ kind: "register" }, 0, Date.now());
  await runner.goOn("register");
}
