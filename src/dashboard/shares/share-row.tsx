import { useState } from "react";
import type { Share } from "../../client/types.ts";
import { useDeleteShare, useUpdateShare } from "../api/queries/shares.ts";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { CopyButton } from "../design/copy-button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { formatDate } from "../design/format.ts";
import { reportGone } from "../design/report-gone.ts";
import rows from "../design/rows.module.css";
import { toast } from "../design/toast.tsx";
import { ShareForm } from "./share-form.tsx";
import { ShareLink } from "./share-link.tsx";
import { termsInWords, titleOf, visitsInWords } from "./share-words.ts";

interface ShareRowProps {
  readonly of: Share;
  /** The shared files in words. */
  readonly what: string;
}

/** A share with its terms and the actions on it. */
export function ShareRow({ of: share, what }: ShareRowProps) {
  const { _id: id, url, createdAt, expiresAt } = share;
  const update = useUpdateShare(id);
  const remove = useDeleteShare();
  const [shown, setShown] = useState<"edit" | "link" | "end">();
  const title = titleOf(share);
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const close = () => {
    setShown(undefined);
    update.reset();
  };
  const showing = (part: typeof shown) => ({
    open: shown === part,
    onOpenChange: (open: boolean) => (open ? setShown(part) : close()),
  });
  return (
    <li className={rows.item}>
      <div className={rows.words}>
        <p className={rows.name}>
          {isOver ? (
            title
          ) : (
            <a href={url} target="_blank" rel="noreferrer">
              {title}
            </a>
          )}
        </p>
        <p className={rows.facts}>
          {[what, `Shared on ${formatDate(createdAt, "short")}`, visitsInWords(share)].join(" · ")}
        </p>
        <p className={rows.facts}>{termsInWords(share, Date.now()).join(" · ")}</p>
        {isOver && <p className={rows.bad}>Ended on {formatDate(expiresAt, "time")}</p>}
      </div>
      <div className={rows.row}>
        {!isOver && <CopyButton size="small" text={url} label="Copy link" />}
        {!isOver && (
          <Button size="small" aria-label={`QR code of ${title}`} onClick={() => setShown("link")}>
            QR code
          </Button>
        )}
        <Button size="small" aria-label={`Edit ${title}`} onClick={() => setShown("edit")}>
          Edit
        </Button>
        <Button size="small" tone="quiet" aria-label={`End ${title}`} onClick={() => setShown("end")}>
          {isOver ? "Remove" : "End"}
        </Button>
      </div>
      <Dialog {...showing("link")} title={title}>
        <ShareLink url={url} />
      </Dialog>
      <Dialog {...showing("edit")} title={`Edit “${title}”`} description="The link stays the same.">
        <ShareForm
          share={share}
          isFolder={share.ids === undefined && share.filter === undefined}
          error={update.error}
          busy={update.isPending}
          onSave={(terms) => void update.mutateAsync(terms).then(close, reportGone)}
          onCancel={close}
        />
      </Dialog>
      <ConfirmDialog
        {...showing("end")}
        title={isOver ? `Remove “${title}”?` : `End “${title}”?`}
        action={isOver ? "Remove" : "End share"}
        onConfirm={async () => {
          await remove.mutateAsync(id);
          toast({ title: isOver ? `“${title}” removed` : `“${title}” ended`, tone: "ok" });
        }}
      >
        The page is gone at once, and its link never works again. Your files stay. Links to private files that a visitor
        has copied work for up to an hour.
      </ConfirmDialog>
    </li>
  );
}
