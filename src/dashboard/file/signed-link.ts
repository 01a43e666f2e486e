import { api } from "../api/client.ts";
import { copyText } from "../design/copy-text.ts";
import { describeError } from "../design/describe-error.ts";
import { toast } from "../design/toast.tsx";
import type { FileFacts } from "./file-facts.ts";

/** The times for which a link to a private file may work. */
export const LINK_AGES = [
  { seconds: 3600, title: "1 hour" },
  { seconds: 86_400, title: "1 day" },
  { seconds: 7 * 86_400, title: "1 week" },
] as const;

/** Each link of a private file is a request. */
const MOST_SIGNED = 50;

type LinkAge = (typeof LINK_AGES)[number];

type Linked = Pick<FileFacts, "_id" | "url" | "visibility">;

export function isPrivate({ visibility }: Pick<FileFacts, "visibility">): boolean {
  return visibility === "private";
}

/**
 * The files with addresses that open them. The addresses of private files are signed, and work until the age is over.
 * @throws MediaHostError; Error if there are too many private files
 */
export async function withLinks<File extends Linked>(files: readonly File[], { seconds }: LinkAge): Promise<File[]> {
  if (files.filter(isPrivate).length > MOST_SIGNED)
    throw new Error(`Links of at most ${MOST_SIGNED} private files can be made at once.`);
  const linked: File[] = [];
  for (const file of files) {
    if (!isPrivate(file)) linked.push(file);
    else {
      const { url, thumbnailUrl } = await api.signedUrls(file._id, seconds);
      linked.push({ ...file, url, ...(thumbnailUrl !== null && { thumbnailUrl }) });
    }
  }
  return linked;
}

/** The links of files. Links of private files work for a day. @throws MediaHostError; Error if there are too many private files */
export async function linksOf(files: readonly Linked[]): Promise<string[]> {
  return (await withLinks(files, LINK_AGES[1])).map(({ url }) => url);
}

/** Copies a file's link, and shows a toast. @param age the time for which a private file's link works */
export async function copyLink(file: Linked, age: LinkAge = LINK_AGES[1]): Promise<void> {
  try {
    const [linked = file] = await withLinks([file], age);
    const isDone = await copyText(linked.url);
    if (!isDone) toast({ tone: "danger", title: "The browser blocked copying" });
    else toast({ title: "Link copied", description: isPrivate(file) ? `It works for ${age.title}.` : undefined });
  } catch (error) {
    toast({ tone: "danger", title: "The link could not be made", description: describeError(error).message });
  }
}
