import { toDownloadName } from "../../../domain/media-types.ts";
import { uniqueNames } from "../../../domain/unique-names.ts";
import { toast } from "../../design/toast.tsx";
import { downloadFile, saveAs, uncountedUrl } from "../../file/download-file.ts";
import type { Item } from "../changes/patch.ts";
import { files } from "../words.ts";

const MOST_FILES = 500;

interface SaveTarget {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}
type PickSaveTarget = (options: { suggestedName: string }) => Promise<SaveTarget>;

/** Downloads one file as it is, and several as a zip that is made while the files arrive. */
export async function downloadSelected(items: readonly Item[]): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  if (items.length === 1) return downloadFile(first);
  if (items.length > MOST_FILES) {
    return toast({ tone: "danger", title: `At most ${files(MOST_FILES)} can be downloaded at once` });
  }
  const { downloadZip } = await import("client-zip");
  const freeName = uniqueNames();
  const names = items.map(({ prompt, mimeType }) => freeName(toDownloadName(prompt, mimeType)));
  const name = `${items.length} files.zip`;
  const sources = fetchEach(items, names);
  const pick = (window as { showSaveFilePicker?: PickSaveTarget }).showSaveFilePicker;
  if (pick === undefined) {
    const address = URL.createObjectURL(await downloadZip(sources).blob());
    saveAs(address, name);
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return;
  }
  const target = await pick({ suggestedName: name }).catch(() => undefined);
  // The user closed the file picker.
  if (target === undefined) return;
  await downloadZip(sources).body?.pipeTo(await target.createWritable());
  toast({ title: `${files(items.length)} downloaded` });
}

/** Fetches one file at a time, so that a zip of gigabytes has one response in memory. */
async function* fetchEach(items: readonly Item[], names: readonly string[]) {
  for (const [at, item] of items.entries()) {
    const answer = await fetch(await uncountedUrl(item), { credentials: "omit" });
    if (!answer.ok) throw new Error(`${names[at]}: HTTP ${answer.status}`);
    yield { name: names[at] as string, lastModified: new Date(item.createdAt), input: answer };
  }
}
