import { toDownloadName } from "../../domain/media-types.ts";
import { api } from "../api/client.ts";
import { describeError } from "../design/describe-error.ts";
import { toast } from "../design/toast.tsx";
import { type FileFacts, shownUrl } from "./file-facts.ts";

/** An address that expires sooner is replaced. */
const LEAST_MS = 60_000;
/** The address's token begins with its expiry, in seconds since 1970. */
const EXPIRY = /[?&]preview=(\d+)\./;

type Downloaded = Pick<FileFacts, "_id" | "prompt" | "mimeType" | "viewUrl" | "downloadUrl">;

/**
 * The address that reads a file without counting a view. An expired address would be served and counted, so a new one is fetched first.
 * @throws MediaHostError
 */
export async function uncountedUrl({ _id, viewUrl = "" }: Pick<Downloaded, "_id" | "viewUrl">): Promise<string> {
  const validUntil = Number(EXPIRY.exec(viewUrl)?.[1] ?? 0) * 1000;
  if (validUntil - Date.now() > LEAST_MS) return viewUrl;
  return shownUrl(await api.image(_id));
}

export async function downloadFile(file: Downloaded): Promise<void> {
  try {
    const url = await uncountedUrl(file);
    const [, download = ""] = file.downloadUrl.split("?");
    saveAs(`${url}${url.includes("?") ? "&" : "?"}${download}`, toDownloadName(file.prompt, file.mimeType));
  } catch (error) {
    const { message } = describeError(error);
    toast({ tone: "danger", title: `${file.prompt} could not be downloaded`, description: message });
  }
}

export function saveAs(address: string, name: string): void {
  Object.assign(document.createElement("a"), { href: address, download: name, rel: "noopener" }).click();
}
