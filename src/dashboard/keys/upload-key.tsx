import RefreshCw from "lucide-react/icons/refresh-cw";
import { useState } from "react";
import { Link } from "wouter";
import type { Key } from "../../client/index.ts";
import type { TierName } from "../../domain/tiers.ts";
import { tierName } from "../api/tier-words.ts";
import { Button } from "../design/button.tsx";
import { formatDate, formatRelative } from "../design/format.ts";
import { Section } from "../design/section.tsx";
import { readFirstKey } from "../shell/first-key.ts";
import { KeyTools } from "../shell/key-tools/key-tools.tsx";
import { RegenerateDialog } from "../shell/key-tools/regenerate-dialog.tsx";
import styles from "./upload-key.module.css";

interface UploadKeyProps {
  readonly keys: readonly Key[];
  readonly tier: TierName;
}

/** The one key of Free and Starter, which uploads and does nothing else. */
export function UploadKey({ keys, tier }: UploadKeyProps) {
  const [open, setOpen] = useState(false);
  const key = keys.find(({ kind }) => kind === "upload");
  const others = keys.filter(({ kind }) => kind === "api").length;
  const facts = key !== undefined && [
    ["Created", formatDate(key.createdAt)],
    ["Last used", key.lastUsedAt === null ? "Never" : formatRelative(key.lastUsedAt)],
    ["May", "Upload files, nothing else"],
  ];
  return (
    <>
      <Section
        title="Upload key"
        description={`${tierName(tier)} has one key. Files are listed, moved and deleted here, in the dashboard.`}
        aside={
          <Button icon={RefreshCw} onClick={() => setOpen(true)}>
            {key === undefined ? "Make a key" : "Regenerate"}
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
        {readFirstKey() !== undefined && (
          <p className={styles.soft}>
            The key can still be shown, as long as this tab is open: <Link to="/welcome">show it</Link>.
          </p>
        )}
        {others > 0 && (
          <p className={styles.soft}>
            API keys of this account do not work on {tierName(tier)}; with Pro they do again.
          </p>
        )}
      </Section>
      <Section title="Use it" description="The key itself is shown when it is made. Put it where YOUR_KEY stands.">
        <KeyTools
          shareX={
            <p className={styles.soft}>
              The file holds the key, so it is there when one is made: regenerate it and choose ShareX in that window.
            </p>
          }
        />
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
