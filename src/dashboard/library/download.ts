import { toast } from "../design/toast.tsx";
import type { Item } from "./change.ts";
import { uniqueNames } from "./unique-names.ts";
import { files } from "./words.ts";

const MOST_FILES = 500;

interface SaveTarget {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}
type PickSaveTarget = (options: { suggestedName: string }) => Promise<SaveTarget>;

/** One file as it is; several as a zip, which is made while the files come. */
export async function downloadFiles(items: readonly Item[]): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  if (items.length === 1) return save(`${first.url}${first.url.includes("?") ? "&" : "?"}download=1`, first.prompt);
  if (items.length > MOST_FILES) {
    return toast({ tone: "danger", title: `At most ${files(MOST_FILES)} are downloaded at once` });
  }
  const { downloadZip } = await import("client-zip");
  const names = uniqueNames(items.map(({ prompt }) => prompt));
  const name = `${items.length} files.zip`;
  const sources = fetchEach(items, names);
  const pick = (window as { showSaveFilePicker?: PickSaveTarget }).showSaveFilePicker;
  if (pick === undefined) {
    const address = URL.createObjectURL(await downloadZip(sources).blob());
    save(address, name);
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return;
  }
  const target = await pick({ suggestedName: name }).catch(() => undefined);
  // Nowhere to put it was chosen.
  if (target === undefined) return;
  await downloadZip(sources).body?.pipeTo(await target.createWritable());
  toast({ title: `${files(items.length)} downloaded` });
}

/** One after the other, so that a zip of gigabytes holds one of them at a time. */
async function* fetchEach(items: readonly Item[], names: readonly string[]) {
  for (const [at, { url, createdAt }] of items.entries()) {
    const answer = await fetch(url, { credentials: "omit" });
    if (!answer.ok) throw new Error(`${names[at]}: HTTP ${answer.status}`);
    yield { name: names[at] as string, lastModified: new Date(createdAt), input: answer };
  }
}

function save(address: string, name: string): void {
  const link = Object.assign(document.createElement("a"), { href: address, download: name, rel: "noopener" });
  link.click();
}
