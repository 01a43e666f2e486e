import { useState } from "react";
import { useOverview } from "../api/queries/overview.ts";
import { Button } from "../design/button.tsx";
import { formatBytes, formatPlural } from "../design/format.ts";
import { Section } from "../design/section.tsx";
import { EraseDialog } from "./erase-dialog.tsx";
import styles from "./forms.module.css";

interface EraseSectionProps {
  readonly email: string;
}

export function EraseSection({ email }: EraseSectionProps) {
  const [open, setOpen] = useState(false);
  const overview = useOverview().data;
  const held =
    overview === undefined
      ? "Every file"
      : `${formatPlural(overview.files.total, "file")}, ${formatBytes(overview.storage.used)}`;
  return (
    <Section
      title="Erase the account"
      description="Everything is deleted permanently. Export your data first if you want to keep it."
    >
      <ul className={styles.list}>
        <li>{held}. All links to them stop working.</li>
        <li>Folders, tags, keys, alerts and the operation log.</li>
        <li>Your e-mail address. It can be used for a new account at once.</li>
      </ul>
      <div>
        <Button tone="danger" onClick={() => setOpen(true)}>
          Erase everything
        </Button>
      </div>
      <EraseDialog email={email} held={held} open={open} onOpenChange={setOpen} />
    </Section>
  );
}
