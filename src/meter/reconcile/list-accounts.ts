import { listAccountPlaces } from "../../db/directory/accounts.ts";
import type { Directory } from "../../db/directory/directory.ts";
import type { Libraries } from "../../db/library/library.ts";
import { listLibraries } from "../../db/library/library-state.ts";
import { isId, type Shard } from "../../domain/ids.ts";
import {
  accountPrefix,
  everyKey,
  MARKER_PREFIX,
  MOVED_PREFIX,
  PREVIEWS_PREFIX,
  VARIANTS_PREFIX,
} from "../../domain/object-key.ts";

const DIRECTORY_PAGE = 100;
const PAGE = 1000;
const FILES_PREFIX = "uploads/";

export interface ListedAccount {
  readonly id: string;
  /** The shards that have, or had, its library. */
  readonly places: Shard[];
  /** Whether R2 has its marker. */
  isMarked: boolean;
}

interface Stores {
  readonly directory: Directory;
  readonly libraries: Libraries;
  readonly files: R2Bucket;
}

/**
 * Lists the next accounts of any store: the directory, the shards, or R2. So an account that a restored database has lost is found by its
 * traces in the other stores, and so is an account that a restored database has again. All lists are sorted by id. A page ends at the first
 * list with a full page.
 * @param after the last account of the previous page; "" at the beginning
 * @returns `next` is null at the end
 */
export async function listAccounts(
  { directory, libraries, files }: Stores,
  after: string,
): Promise<{ readonly accounts: ListedAccount[]; readonly foreign: string[]; readonly next: string | null }> {
  // Sorts after the account, and before every other one.
  const fromId = after === "" ? "" : `${after}0`;
  let toId: string | null = null;
  const endAt = (id: string | undefined) => {
    if (id !== undefined && (toId === null || id < toId)) toId = id;
  };
  const inDirectory = (await listAccountPlaces(directory, fromId, DIRECTORY_PAGE)).map(({ id }) => id);
  if (inDirectory.length === DIRECTORY_PAGE) endAt(inDirectory.at(-1));
  const inShards: [Shard, string[]][] = [];
  for (const shard of libraries.shards) {
    const ids = await listLibraries(libraries.open(shard), { fromId, toId, limit: PAGE });
    if (ids.length === PAGE) endAt(ids.at(-1));
    inShards.push([shard, ids]);
  }
  const start = (prefix: string, behind: string) => (after === "" ? {} : { startAfter: prefix + after + behind });
  const markers = await files.list({ prefix: MARKER_PREFIX, limit: PAGE, ...start(MARKER_PREFIX, "") });
  const marked = markers.objects.map(({ key }) => key.slice(MARKER_PREFIX.length));
  if (markers.truncated) endAt(marked.at(-1));
  const foreign: string[] = [];
  const owning: string[] = [];
  for (const prefix of [...everyKey(FILES_PREFIX), PREVIEWS_PREFIX, VARIANTS_PREFIX, MOVED_PREFIX]) {
    const owners = await files.list({ prefix, delimiter: "/", limit: PAGE, ...start(prefix, "0") });
    const ids = owners.delimitedPrefixes.map((path) => path.slice(prefix.length, -1));
    if (owners.truncated) endAt(ids.at(-1));
    owning.push(...ids);
    foreign.push(...owners.objects.map(({ key }) => key));
  }

  const accounts = new Map<string, ListedAccount>();
  const of = (id: string): ListedAccount => {
    const account = accounts.get(id) ?? { id, places: [], isMarked: false };
    accounts.set(id, account);
    return account;
  };
  const isMeant = (id: string) => toId === null || id <= toId;
  for (const id of [...inDirectory, ...owning].filter(isMeant)) {
    if (isId(id)) of(id);
    else foreign.push(accountPrefix(id));
  }
  for (const [shard, ids] of inShards) for (const id of ids.filter(isMeant)) of(id).places.push(shard);
  for (const id of marked.filter(isMeant)) if (isId(id)) of(id).isMarked = true;
  return { accounts: [...accounts.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), foreign, next: toId };
}
