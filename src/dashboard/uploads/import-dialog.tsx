import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { createImport } from "../../client/create-import.ts";
import type { ImportWithItems } from "../../client/types.ts";
import type { SourceFault } from "../../domain/errors.ts";
import { connection } from "../api/client.ts";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { formatPlural } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { toast } from "../design/toast.tsx";
import styles from "./import-dialog.module.css";
import { ImportForm } from "./import-form.tsx";
import { MOST_URLS } from "./read-urls.ts";

const ASK_EVERY_MS = 1500;

type Item = ImportWithItems["items"][number];

interface ImportDialogProps {
  /** The pasted URLs, one a line. */
  readonly text: string;
  /** The shown folder, which is chosen at first. */
  readonly folderId: string | null;
  readonly onClose: () => void;
}

/** Imports files from URLs and shows each one's outcome. It can be closed meanwhile; a toast follows when all files have an outcome. */
export default function ImportDialog({ text, folderId, onClose }: ImportDialogProps) {
  const queries = useQueryClient();
  const [open, setOpen] = useState(true);
  const [id, setId] = useState<string>();
  const { data, error, refetch } = useQuery({
    queryKey: ["imports", id],
    queryFn: ({ signal }) =>
      connection.call<ImportWithItems>("GET", `/imports/${id}`, { query: { limit: MOST_URLS }, signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.endedAt ? false : ASK_EVERY_MS),
  });
  const [stopError, setStopError] = useState<unknown>();
  const stored = data?.counts.done ?? 0;
  const isOver = data !== undefined && data.endedAt !== null;

  useEffect(() => {
    if (stored > 0)
      for (const key of ["images", "folders", "tags"]) void queries.invalidateQueries({ queryKey: [key] });
  }, [queries, stored]);
  useEffect(() => {
    if (isOver && !open) {
      toast({ title: titleOf(data), action: { title: "Show", run: () => setOpen(true) } });
    }
    // The toast comes once, at the end.
  }, [isOver]);

  if (id === undefined) {
    return (
      <ImportForm
        text={text}
        shownId={folderId}
        onClose={onClose}
        send={async (items, key) => {
          setId(await createImport(connection, items, key));
        }}
      />
    );
  }
  const close = () => {
    setOpen(false);
    if (isOver) onClose();
  };
  const stop = async () => {
    setStopError(undefined);
    try {
      await connection.call("DELETE", `/imports/${id}`);
      await refetch();
    } catch (thrown) {
      setStopError(thrown);
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={data === undefined ? "Import" : titleOf(data)}
      description={isOver ? undefined : "The service fetches the files. You may close this window and this page."}
      width={560}
      footer={
        isOver ? (
          <Button tone="main" onClick={close}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={() => void stop()}>Stop the import</Button>
            <Button tone="main" onClick={close}>
              Close
            </Button>
          </>
        )
      }
    >
      {error !== null && (
        <Problem error={error} title="The import's state could not be loaded" onRetry={() => void refetch()} />
      )}
      {stopError !== undefined && <Problem error={stopError} title="The import was not stopped" />}
      <p role="status" className="hidden-text">
        {isOver ? titleOf(data) : ""}
      </p>
      <ul className={styles.items} aria-label="Files">
        {data?.items.map((item) => (
          <li key={item.number} className={styles.item} data-state={item.state}>
            <bdi className={styles.url}>{item.url}</bdi>
            <span className={styles.state}>{stateOf(item)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** "2 files imported, 1 failed". */
function titleOf({ total, counts, endedAt }: ImportWithItems): string {
  const { done, failed, cancelled } = counts;
  if (endedAt === null) return `Importing ${Math.min(total, done + failed + cancelled + 1)} of ${total}`;
  const parts = [`${formatPlural(done, "file")} imported`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (cancelled > 0) parts.push(`${cancelled} stopped`);
  return parts.join(", ");
}

/** The words for `details.reason` of a failed item. */
const FAULTS: Readonly<Record<Exclude<SourceFault, "status">, string>> = {
  connection: "the connection failed",
  dns: "its name is unknown",
  stalled: "it was too slow",
  redirects: "it redirected too often",
  length: "it sent more or fewer bytes than it announced",
  encoding: "it sent a compressed file",
  changed: "the file changed meanwhile",
  interrupted: "the transfer was interrupted",
};

/** "The source did not send the file: status 404". */
function reasonOf({ error, details }: NonNullable<Item["error"]>): string {
  const { reason, status } = details ?? {};
  const fault = typeof status === "number" ? `status ${status}` : FAULTS[reason as keyof typeof FAULTS];
  return fault === undefined ? error : `${error}: ${fault}`;
}

function stateOf({ state, error }: Item): string {
  switch (state) {
    case "pending":
      return error === null ? "Waiting" : `Waiting to try again. ${reasonOf(error)}`;
    case "running":
      return "Being fetched";
    case "done":
      return "Stored";
    case "failed":
      return error === null ? "Failed" : reasonOf(error);
    case "cancelled":
      return "Stopped";
  }
}
