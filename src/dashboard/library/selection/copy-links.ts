import { copyText } from "../../design/copy-text.ts";
import { formatPlural } from "../../design/format.ts";
import { toast } from "../../design/toast.tsx";
import { isPrivate, LINK_AGES, linksOf } from "../../file/signed-link.ts";
import type { Item } from "../changes/patch.ts";

const MOST_LINKS = 5000;

/** Copies the links of files, a line each, and shows a toast. Links of private files work for a day. */
export async function copyLinks(items: readonly Item[]): Promise<void> {
  if (items.length > MOST_LINKS)
    return toast({ tone: "danger", title: `At most ${formatPlural(MOST_LINKS, "link")} can be copied at once` });
  try {
    const isDone = await copyText((await linksOf(items)).join("\n"));
    if (!isDone) return toast({ tone: "danger", title: "The browser blocked copying" });
    toast({
      title: items.length === 1 ? "Link copied" : `${items.length} links copied`,
      description: items.some(isPrivate) ? `Links of private files work for ${LINK_AGES[1].title}.` : items[0]?.prompt,
    });
  } catch (error) {
    toast({ tone: "danger", title: "The links could not be made", description: (error as Error).message });
  }
}
