import Plus from "lucide-react/icons/plus";
import Ticket from "lucide-react/icons/ticket";
import { Suspense, useState } from "react";
import type { UploadToken } from "../../../client/types.ts";
import { useRevokeUploadToken, useUploadTokens } from "../../api/queries/upload-tokens.ts";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { Empty } from "../../design/empty.tsx";
import { formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Problem } from "../../design/problem.tsx";
import rows from "../../design/rows.module.css";
import { Section } from "../../design/section.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { toast } from "../../design/toast.tsx";
import { KeyFolder } from "../keys/key-folder.tsx";
import { useHasPassed } from "../keys/use-has-passed.ts";
import { isUsedUp, limitsInWords, nameOf, usedInWords } from "./token-words.ts";

interface UploadTokenRowProps {
  readonly of: UploadToken;
  readonly onRevoke: () => void;
}

const NewTokenDialog = lazyPart(() => import("./new-token-dialog.tsx"));

/** The account's upload tokens: rights to a few uploads, for pages of strangers. */
export default function UploadTokensSection() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useUploadTokens();
  const [open, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  if (open && !wasOpen) setWasOpen(true);
  const [revoked, setRevoked] = useState<UploadToken>();
  const tokens = data?.pages.flatMap((page) => page.uploadTokens);
  return (
    <Section
      title="Upload tokens"
      description="A token lets a page upload a few files without your key. Your server makes tokens with POST /upload-tokens."
      aside={
        <Button tone="main" icon={Plus} onClick={() => setOpen(true)}>
          New token
        </Button>
      }
    >
      {error !== null && (
        <Problem error={error} title="The upload tokens could not be loaded" onRetry={() => void refetch()} />
      )}
      {tokens === undefined && error === null && <Skeleton height={44} />}
      {tokens?.length === 0 && (
        <Empty icon={Ticket} title="No upload token">
          Make a token with limits, and try it here: the upload element of your page runs with it.
        </Empty>
      )}
      {tokens !== undefined && tokens.length > 0 && (
        <ul className={rows.list} aria-label="Upload tokens">
          {tokens.map((token) => (
            <UploadTokenRow key={token._id} of={token} onRevoke={() => setRevoked(token)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      {revoked !== undefined && <RevokeToken of={revoked} onClose={() => setRevoked(undefined)} />}
      <Suspense fallback={null}>{wasOpen && <NewTokenDialog open={open} onOpenChange={setOpen} />}</Suspense>
    </Section>
  );
}

interface RevokeTokenProps {
  readonly of: UploadToken;
  readonly onClose: () => void;
}

/** Asks before a token is revoked. It is beside the list, because it stays if another tab revokes the token. */
function RevokeToken({ of: token, onClose }: RevokeTokenProps) {
  const revoke = useRevokeUploadToken();
  const name = nameOf(token);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Revoke the token ${name}?`}
      action="Revoke"
      onConfirm={async () => {
        await revoke.mutateAsync(token._id);
        toast({ title: `Token ${name} revoked`, description: "It no longer works.", tone: "ok" });
      }}
    >
      Pages that use it cannot upload from now on. Its stored files stay.
    </ConfirmDialog>
  );
}

/** An upload token with its limits and use. */
function UploadTokenRow({ of: token, onRevoke }: UploadTokenRowProps) {
  const { folderId, tags, visibility, origins, createdAt, expiresAt } = token;
  const hasPassed = useHasPassed(Date.parse(expiresAt));
  const name = nameOf(token);
  const facts = [
    usedInWords(token),
    `Created ${formatRelative(createdAt)}`,
    ...(tags.length > 0 ? [`Tags ${tags.join(", ")}`] : []),
    ...(visibility === null ? [] : [visibility === "private" ? "Private files" : "Public files"]),
    ...(origins.length > 0 ? [`Only ${origins.join(", ")}`] : []),
  ];
  return (
    <li className={rows.item}>
      <div className={rows.words}>
        <p className={rows.name}>
          {limitsInWords(token)} <code className={rows.facts}>{name}</code>
        </p>
        <p className={rows.facts}>{facts.join(" · ")}</p>
        <p className={rows.facts}>
          {folderId !== null && (
            <>
              Folder <KeyFolder id={folderId} /> ·{" "}
            </>
          )}
          <span title={formatDate(expiresAt, "time")}>
            {hasPassed ? <span className={rows.bad}>Expired</span> : `Expires ${formatRelative(expiresAt)}`}
          </span>
        </p>
        {isUsedUp(token) && <p className={rows.soft}>Used up: it stores no more files.</p>}
      </div>
      <Button size="small" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
