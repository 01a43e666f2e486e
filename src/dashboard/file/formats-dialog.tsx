import Copy from "lucide-react/icons/copy";
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { copyText } from "../design/copy-text.ts";
import { Dialog } from "../design/dialog.tsx";
import { formatPlural } from "../design/format.ts";
import { Segmented } from "../design/segmented.tsx";
import { toast } from "../design/toast.tsx";
import { COPY_FORMATS, COPY_TITLES, type Copied, type CopyFormat, toCopiedLines } from "./copy-formats.ts";
import type { FileFacts } from "./file-facts.ts";
import styles from "./formats-dialog.module.css";
import { isPrivate, LINK_AGES, withLinks } from "./signed-link.ts";

interface FormatsDialogProps {
  readonly files: readonly (Copied & Pick<FileFacts, "_id" | "visibility">)[];
  readonly onClose: () => void;
}

const PREVIEWED = 3;

/** Copies the links of files in a format; each format has a preview. Links of private files are signed when they are copied. */
export default function FormatsDialog({ files, onClose }: FormatsDialogProps) {
  const what = formatPlural(files.length, "file");
  const hasPrivate = files.some(isPrivate);
  const [age, setAge] = useState<string>(LINK_AGES[1].title);
  const [busy, setBusy] = useState<CopyFormat>();
  const copy = async (format: CopyFormat) => {
    if (busy !== undefined) return;
    setBusy(format);
    try {
      const chosen = LINK_AGES.find(({ title }) => title === age) ?? LINK_AGES[1];
      const isDone = await copyText(toCopiedLines(await withLinks(files, chosen), format));
      onClose();
      if (!isDone) return toast({ tone: "danger", title: "The browser blocked copying" });
      const description = hasPrivate ? `Links of private files work for ${chosen.title}.` : undefined;
      toast({ title: `${COPY_TITLES[format]} of ${what} copied`, description });
    } catch (error) {
      setBusy(undefined);
      toast({ tone: "danger", title: "The links could not be made", description: (error as Error).message });
    }
  };
  const previewed = files.slice(0, PREVIEWED).map((file) => (isPrivate(file) ? withSignedLook(file) : file));
  return (
    <Dialog open onOpenChange={onClose} title={`Copy ${what} as`} width={520}>
      {hasPrivate && (
        <div className={styles.age}>
          <p>Links of private files are signed, and work for:</p>
          <Segmented
            label="Time for which the links work"
            options={LINK_AGES.map(({ title }) => ({ value: title, title }))}
            value={age}
            onChange={setAge}
          />
        </div>
      )}
      <ul className={styles.formats}>
        {COPY_FORMATS.map((format) => (
          <li key={format} className={styles.format}>
            <Button icon={Copy} className={styles.button} busy={busy === format} onClick={() => void copy(format)}>
              {COPY_TITLES[format]}
            </Button>
            <code className={styles.code}>{toCopiedLines(previewed, format)}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** The file as its copied text will look, before its signature is made. */
function withSignedLook(file: FormatsDialogProps["files"][number]): FormatsDialogProps["files"][number] {
  const look = (url: string) => `${url}?exp=…&sig=…`;
  return { ...file, url: look(file.url), thumbnailUrl: file.thumbnailUrl && look(file.thumbnailUrl) };
}
