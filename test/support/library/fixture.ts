import { openAccount, type TestAccount, type TestFile } from "../api/api.ts";
import { gif, jpeg, mp4, png } from "../media/samples.ts";
import { seeded } from "../uploads/multipart.ts";
import { bulkUpdate, createFolder, moveToTrash, uploadMany } from "./api.ts";
import { type LibraryItem, toLibraryItem } from "./oracle.ts";

export interface Library {
  readonly account: TestAccount;
  /** Newest first, as a listing shows them. */
  readonly items: readonly LibraryItem[];
  readonly folders: readonly string[];
}

export const TAGS = ["sun", "sunny", "Sun", "sea", "café", "写真", "🦊", "50%", "a b", "null"] as const;
const WORDS = [
  "Beach",
  "beach ball",
  "Mountain_View",
  "100%",
  "it's",
  "(draft)",
  "Émile",
  "ΣΊΣΥΦΟΣ",
  "写真",
  "AND",
  "x",
];

/** A file whose kind, name and size depend on a number. */
export function fileNumber(number: number, word: string): TestFile {
  const sizeBytes = 100 + ((number * 37) % 900);
  const kinds: [string, () => TestFile["bytes"]][] = [
    ["png", () => png(3, 2, sizeBytes)],
    ["jpg", () => jpeg(4, 3, sizeBytes)],
    ["mp4", () => mp4(sizeBytes, number + 1)],
    ["gif", gif],
  ];
  const [extension, make] = kinds[number % kinds.length] ?? ["png", png];
  return { name: `${word} ${number}.${extension}`, bytes: make() };
}

/** An account of `count` uploads in nested folders and Root. They differ in every property that a listing can filter by. */
export async function openLibrary(count: number, seed = 7): Promise<Library> {
  const account = await openAccount("business");
  const random = seeded(seed);
  const outer = await createFolder(account.token, "Outer");
  const folders = [
    outer,
    await createFolder(account.token, "Inner", outer),
    await createFolder(account.token, "Other"),
  ];
  const stored = new Map<string, LibraryItem>();
  for (let at = 0; at < count; ) {
    const size = Math.min(count - at, 1 + random(9));
    const first = at;
    const files = Array.from({ length: size }, (_, i) => fileNumber(first + i, WORDS[random(WORDS.length)] ?? "x"));
    const tags = TAGS.filter(() => random(4) === 0).join(",");
    const folderId = folders[random(folders.length + 2)] ?? "root";
    for (const result of await uploadMany(account.token, files, { tags, folderId })) {
      stored.set(result._id, toLibraryItem(result));
    }
    at += size;
  }
  await changeSome(account, stored, random);
  return { account, items: [...stored.values()].reverse(), folders };
}

/** Sets favourites, more tags and the trash for items of every batch. */
async function changeSome(
  account: TestAccount,
  stored: Map<string, LibraryItem>,
  random: (below: number) => number,
): Promise<void> {
  const some = () => [...stored.keys()].filter(() => random(3) === 0);
  const change = (ids: string[], changed: (item: LibraryItem) => Partial<LibraryItem>) => {
    for (const id of ids) {
      const item = stored.get(id);
      if (item !== undefined) stored.set(id, { ...item, ...changed(item) });
    }
  };
  const favorites = some();
  await bulkUpdate(account.token, { ids: favorites, favorite: true });
  change(favorites, () => ({ favorite: true }));
  const tagged = some();
  await bulkUpdate(account.token, { ids: tagged, addTags: ["sea"] });
  change(tagged, ({ tags }) => ({ tags: [...new Set([...tags, "sea"])] }));
  const trashed = some();
  await moveToTrash(account.token, trashed);
  change(trashed, () => ({ status: "trash" }));
}
