import { type Client, createClient } from "../../../../src/client/index.ts";
import type { Stack } from "../../stack/stack.ts";
import { drawPicture } from "../draw-picture.ts";
import type { Credentials } from "../log-in.ts";

const PASSWORD = "correct horse battery";
/** A name without spaces, as long as cameras and exports make them. */
export const LONG = "Client-presentation-final-approved-by-everybody-2026-11-22T12-00-00-original-size";

/** The stack's settings: webhooks have addresses that do not exist, and figures are counted at once. */
export const LOOKS_STACK = { WEBHOOK_ALLOW_PRIVATE: "true", METRICS_FLUSH_SECONDS: "1" };

/** Ids that paths contain. */
export interface Ids {
  readonly file: string;
  readonly folder: string;
  readonly key: string;
  /** The stranger's account. */
  readonly account: string;
}

export interface Owner extends Credentials {
  readonly token: string;
  readonly client: Client;
  readonly ids: Ids;
}

/** Marked accounts: with nothing, with a few files, and with many things with long names. */
export interface Owners {
  readonly empty: Owner;
  readonly few: Owner;
  readonly many: Owner;
}

/** Registers the accounts and fills them. A stranger's files are reported and taken down. */
export async function makeOwners(stack: Stack): Promise<Owners> {
  const stranger = await register(stack, "stranger", "Sam Visitor");
  const { _id: account } = await stranger.client.account.get();
  const [empty, few, many] = await Promise.all([
    register(stack, "empty", "Ines Kallevik"),
    register(stack, "few", "Ines Kallevik"),
    register(stack, "many", LONG),
  ]);
  for (const { email, client } of [empty, few, many]) {
    const { _id } = await client.account.get();
    await stack.admin("mark-operator", email, "Works the reports", _id);
  }
  await fillRoom(stack, stranger);
  const owners = { empty, few: await fill(stack, few, 24, 3), many: await fill(stack, many, 60, 30) };
  return Object.fromEntries(
    Object.entries(owners).map(([name, owner]) => [name, { ...owner, ids: { ...owner.ids, account } }]),
  ) as unknown as Owners;
}

async function register(stack: Stack, user: string, name: string): Promise<Owner> {
  const who = { email: `${user}@example.com`, password: PASSWORD };
  const open = createClient({ baseUrl: stack.baseUrl });
  await open.auth.register({ ...who, name });
  await stack.setTier(who.email, "pro");
  const { token } = await open.auth.logIn(who);
  return {
    ...who,
    token,
    client: createClient({ baseUrl: stack.baseUrl, key: token }),
    ids: { file: "no-file", folder: "root", key: "no-key", account: "no-account" },
  };
}

/** Reports files of an account, and takes some down. */
async function fillRoom(stack: Stack, { client }: Owner): Promise<void> {
  for (const [at, reason] of ["It is my photo", "Not allowed here", "Malware"].entries()) {
    const bytes = await drawPicture(40 + at, 2)
      .jpeg()
      .toBuffer();
    const { _id, url } = await client.upload(new File([bytes], `stranger-${at}.jpg`));
    if (at < 2)
      await client.connection.call("POST", "/reports", { body: { url, reason, email: "reader@example.com" } });
    else await stack.admin("take-down", _id, "Ticket 12");
  }
}

/** Uploads pictures, and makes some of everything else. @param of how many of everything else */
async function fill(stack: Stack, owner: Owner, files: number, of: number): Promise<Owner> {
  const { client } = owner;
  // The service records events from the first request for them on.
  await client.connection.call("GET", "/events");
  const name = (what: string, at: number) => (of > 3 && at % 3 === 0 ? `${LONG}-${at}` : `${what} ${at + 1}`);
  const each = <Made>(make: (at: number) => Promise<Made>) =>
    Promise.all(Array.from({ length: of }, (_, at) => make(at)));
  const folders = await each((at) => client.folders.create({ name: name("Folder", at), parentId: null }));
  const { key } = await client.keys
    .regenerateUploadKey()
    .catch(() => client.keys.create({ name: "Uploads", scopes: ["upload"] }));
  const uploader = createClient({ baseUrl: stack.baseUrl, key });
  const stored: string[] = [];
  for (let at = 0; at < files; at += 1) {
    // The first two have the same bytes.
    const bytes = await drawPicture(Math.max(1, at), 4).jpeg().toBuffer();
    const file = new File([bytes], `${name("IMG", at).replaceAll(" ", "_")}.jpg`, { type: "image/jpeg" });
    const { _id } = await uploader.upload(file, { folderId: (at % 4 === 0 && folders[at % of]?._id) || null });
    stored.push(_id);
  }
  await client.updateAll({
    ids: stored.filter((_, at) => at % 3 === 0),
    addTags: ["press", "hero", "2026"],
    favorite: true,
  } as never);
  await client.trash(stored.slice(2, 4));
  const keys = await each((at) => client.keys.create({ name: name("Key", at), scopes: ["upload"] }));
  await each((at) => client.uploadTokens.create({ maxFiles: at + 1, tags: at % 2 === 0 ? ["guest"] : [] }));
  await each((at) => client.shares.create({ folderId: folders[at]?._id ?? null, title: name("Share", at) }));
  for (let at = 0; at < Math.min(of, 5); at += 1) {
    const url = `https://hooks.example.com/${name("media", at).replaceAll(" ", "-")}`;
    const put = (path: string, body: object) => client.connection.call("PUT", path, { body });
    await put(`/settings/webhooks/hook-${at}`, { url, events: ["upload.completed", "image.deleted"] });
    await put(`/settings/presets/size-${at}`, { parameters: `w=${320 * (at + 1)}&format=auto` });
  }
  const ids = { ...owner.ids, file: stored[4] ?? "", folder: folders[0]?._id ?? "", key: keys[0]?._id ?? "" };
  return { ...owner, ids };
}
