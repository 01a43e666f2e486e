import RefreshCw from "lucide-react/icons/refresh-cw";
import { useState } from "react";
import { Link } from "wouter";
import type { Key } from "../../../client/index.ts";
import type { TierName } from "../../../domain/tiers.ts";
import { tierName } from "../../api/tier-words.ts";
import { Button } from "../../design/button.tsx";
import { formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import { Section } from "../../design/section.tsx";
import { readFirstKey } from "../../shell/first-key.ts";
import { RegenerateDialog } from "../../shell/key-tools/regenerate-dialog.tsx";
import styles from "./upload-key.module.css";

interface UploadKeyProps {
  readonly keys: readonly Key[];
  readonly tier: TierName;
}

/** The upload key of Free and Starter. */
export function UploadKey({ keys, tier }: UploadKeyProps) {
  const [open, setOpen] = useState(false);
  const key = keys.find(({ kind }) => kind === "upload");
  const others = keys.filter(({ kind }) => kind === "api").length;
  const facts = key !== undefined && [
    ["Created", formatDate(key.createdAt)],
    ["Last used", key.lastUsedAt === null ? "Never" : formatRelative(key.lastUsedAt)],
    ["Permissions", "Upload only"],
  ];
  return (
    <>
      <Section
        title="Upload key"
        description={`${tierName(tier)} has one key, which can only upload. Use the dashboard to list, move and delete files.`}
        aside={
          <Button icon={RefreshCw} onClick={() => setOpen(true)}>
            {key === undefined ? "Create key" : "Regenerate"}
          </Button>
        }
      >
        {key !== undefined && (
          <p className={styles.key}>
            service_upload_<span aria-hidden>••••••••••••</span>
            <span className="hidden-text">, ending in </span>
            {key.lastFour}
          </p>
        )}
        {facts !== false && (
          <dl className={styles.facts}>
            {facts.map(([title, value]) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        <p className={styles.soft}>
          <Link to="/developers/snippets">Snippets</Link> has code and files for programs that upload with the key.
        </p>
        {readFirstKey() !== undefined && (
          <p className={styles.soft}>
            You can <Link to="/welcome">show the key again</Link> until you close or reload this tab.
          </p>
        )}
        {others > 0 && (
          <p className={styles.soft}>
            The API keys of this account do not work on {tierName(tier)}. They work again on Pro and Business.
          </p>
        )}
      </Section>
      <RegenerateDialog
        open={open}
        onOpenChange={setOpen}
        isFirst={key === undefined}
        lastUsedAt={key?.lastUsedAt ?? null}
      />
    </>
  );
}
