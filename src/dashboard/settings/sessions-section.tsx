import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { MediaHostError } from "../../client/media-host-error.ts";
import type { ListedSession } from "../../client/types.ts";
import { connection } from "../api/client.ts";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { formatDate, formatPlural } from "../design/format.ts";
import { formatRelative } from "../design/format-relative.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { toast } from "../design/toast.tsx";
import styles from "./sessions-section.module.css";

const KEY = ["sessions"];

/** The account's open sessions. This browser's own is first; the log-out button ends it. */
export function SessionsSection() {
  const { data: sessions, error, refetch } = useSessions();
  const end = useEndSessions();
  const endAll = useEndSessions();
  const [asking, setAsking] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const own = sessions?.filter(({ isCurrent }) => isCurrent) ?? [];
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? [];
  const endOne = ({ _id, device }: ListedSession) =>
    end.mutate([_id], {
      onSuccess: () => {
        // The focused button was removed with its row.
        list.current?.focus();
        toast({ title: `Session ended: ${device}`, tone: "ok" });
      },
    });
  return (
    <Section
      title="Sessions"
      description="Browsers and programs that are logged in to your account. End each that you do not know, and change your password."
      aside={
        others.length > 0 && (
          <Button tone="danger" onClick={() => setAsking(true)}>
            End all others
          </Button>
        )
      }
    >
      {sessions === undefined && error === null && <Skeleton height={88} />}
      {error !== null && sessions === undefined && (
        <Problem error={error} title="The sessions could not be loaded" onRetry={() => void refetch()} />
      )}
      {sessions !== undefined && (
        <ul ref={list} tabIndex={-1} className={styles.list} aria-label="Open sessions">
          {[...own, ...others].map((session) => (
            <SessionRow
              key={session._id}
              of={session}
              busy={end.isPending && end.variables.includes(session._id)}
              onEnd={() => endOne(session)}
            />
          ))}
        </ul>
      )}
      {end.error !== null && <Problem error={end.error} title="The session could not be ended" />}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="End all other sessions?"
        action="End all others"
        onConfirm={async () => {
          await endAll.mutateAsync(others.map(({ _id }) => _id));
          toast({ title: "All other sessions ended", tone: "ok" });
        }}
      >
        {formatPlural(others.length, "session ends", "sessions end")} at once. This one stays, and API keys keep
        working.
      </ConfirmDialog>
    </Section>
  );
}

interface SessionRowProps {
  readonly of: ListedSession;
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ of: { device, address, createdAt, lastSeenAt, isCurrent }, busy, onEnd }: SessionRowProps) {
  const seen = isCurrent ? "this session" : `last seen ${formatRelative(lastSeenAt)}`;
  return (
    <li className={styles.session}>
      <div>
        <p className={styles.device}>
          {device}
          {isCurrent && <span className={styles.own}>This session</span>}
        </p>
        <p className={styles.facts}>
          {address !== "" && <span>{address}</span>}
          {!isCurrent && <span title={formatDate(lastSeenAt, "time")}>Last seen {formatRelative(lastSeenAt)}</span>}
          <span>Since {formatDate(createdAt, "time")}</span>
        </p>
      </div>
      {!isCurrent && (
        <Button size="small" busy={busy} aria-label={`End the session ${device}, ${address}, ${seen}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}

/** The account's open sessions, newest first. Another tab or device may end one at any time. */
function useSessions() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await connection.call<{ sessions: ListedSession[] }>("GET", "/sessions", { signal })).sessions,
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

/** Ends sessions one after the other; each leaves the list at once. A session that has ended already is no error. */
function useEndSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) {
        await connection.call("DELETE", `/sessions/${encodeURIComponent(id)}`).catch((error) => {
          if (!(error instanceof MediaHostError && error.statusCode === 404)) throw error;
        });
        queries.setQueryData<ListedSession[]>(KEY, (sessions) => sessions?.filter(({ _id }) => _id !== id));
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
