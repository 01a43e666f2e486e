import type { UploadToken } from "../../../client/types.ts";
import { Button } from "../../design/button.tsx";
import { formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import rows from "../../design/rows.module.css";
import { KeyFolder } from "../keys/key-folder.tsx";
import { useHasPassed } from "../keys/use-has-passed.ts";
import { isUsedUp, limitsInWords, nameOf, usedInWords } from "./token-words.ts";

interface UploadTokenRowProps {
  readonly of: UploadToken;
  readonly onRevoke: () => void;
}

/** An upload token with its limits and use. */
export function UploadTokenRow({ of: token, onRevoke }: UploadTokenRowProps) {
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
