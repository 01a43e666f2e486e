import { useEffect } from "react";
import { useAccount } from "../api/queries/account.ts";
import { formatPlural } from "../design/format.ts";
import { toast } from "../design/toast.tsx";
import { takeUnsent } from "./unsent.ts";

const MOST_NAMED = 5;

/** Names what a page before had not sent when it was closed. */
export function useUnsentNotice(chooseFiles: () => void): void {
  const accountId = useAccount().data?._id;
  useEffect(() => {
    const unsent = accountId === undefined ? undefined : takeUnsent(localStorage, accountId, Date.now());
    if (unsent === undefined) return;
    const { files, count } = unsent;
    const named = files.slice(0, MOST_NAMED).map(({ name }) => name);
    const rest = count - named.length;
    toast({
      title: `${formatPlural(count, "file")} ${count === 1 ? "was" : "were"} not uploaded`,
      description: named.join(", ") + (rest > 0 ? ` and ${rest} more` : ""),
      action: { title: "Choose again", run: chooseFiles },
      timeoutMs: 0,
    });
  }, [accountId]);
}
