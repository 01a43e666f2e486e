import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import type { Stack } from "../stack/stack.ts";

interface DevelopmentMail {
  readonly subject: string;
  readonly text: string;
}

/** The mails to an address, newest first. */
export async function mailsTo(stack: Stack, email: string): Promise<readonly DevelopmentMail[]> {
  const answer = await fetch(`${stack.baseUrl}/dev/mail?to=${encodeURIComponent(email)}`);
  return ((await answer.json()) as { mails: DevelopmentMail[] }).mails;
}

/** The link to a page of the dashboard in the newest mail to an address that has one. Waits for the queue of mails. */
export async function linkOf(stack: Stack, email: string, page: string): Promise<string> {
  const find = async () => {
    const texts = (await mailsTo(stack, email)).map(({ text }) => text);
    return texts.map((text) => new RegExp(`http\\S+/dashboard/${page}#\\S+`).exec(text)?.[0]).find(Boolean);
  };
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  return (await find()) ?? "";
}

/** Sets the end of every mailed link to the past, in the database of a running stack. */
export async function expireLinks(stack: Stack): Promise<void> {
  const folder = join(stack.stateDir, "v3", "d1");
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(".sqlite")) continue;
    using database = new DatabaseSync(join(folder, name));
    database.exec("PRAGMA busy_timeout = 10000");
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'mail_proofs'").get() === undefined) continue;
    database.exec("UPDATE mail_proofs SET expires_at = 1");
  }
}
