import { useState } from "react";
import type { UploadToken } from "../../../client/types.ts";
import { useRevokeUploadToken } from "../../api/queries/upload-tokens.ts";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/confirm-dialog.tsx";
import { formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import rows from "../../design/rows.module.css";
import { toast } from "../../design/toast.tsx";
import { KeyFolder } from "../keys/key-folder.tsx";
import { useHasPassed } from "../keys/use-has-passed.ts";
import { isUsedUp, limitsInWords, usedInWords } from "./token-words.ts";

interface UploadTokenRowProps {
  readonly of: UploadToken;
}

/** An upload token with its limits and use. */
export function UploadTokenRow({ of: token }: UploadTokenRowProps) {
  const { _id: id, folderId, tags, visibility, origins, createdAt, expiresAt } = token;
  const revoke = useRevokeUploadToken();
  const [isRevoking, setRevoking] = useState(false);
  const hasPassed = useHasPassed(Date.parse(expiresAt));
  // The list has no names, so the end of the id tells two tokens apart.
  const name = `…${id.slice(-6)}`;
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
      <Button size="small" aria-label={`Revoke ${name}`} onClick={() => setRevoking(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={isRevoking}
        onOpenChange={setRevoking}
        title={`Revoke the token ${name}?`}
        action="Revoke"
        onConfirm={async () => {
          await revoke.mutateAsync(id);
          toast({ title: `Token ${name} revoked`, description: "It no longer works.", tone: "ok" });
        }}
      >
        Pages that use it cannot upload from now on. Its stored files stay.
      </ConfirmDialog>
    </li>
  );
}
