import Copy from "lucide-react/icons/copy";
import { Button } from "../design/button.tsx";
import { copyText } from "../design/copy-text.ts";
import { Dialog } from "../design/dialog.tsx";
import { formatPlural } from "../design/format.ts";
import { toast } from "../design/toast.tsx";
import { COPY_FORMATS, COPY_TITLES, type Copied, type CopyFormat, toCopiedLines } from "./copy-formats.ts";
import type { FileFacts } from "./file-facts.ts";
import styles from "./formats-dialog.module.css";
import { isPrivate } from "./signed-link.ts";

interface FormatsDialogProps {
  readonly files: readonly (Copied & Pick<FileFacts, "visibility">)[];
  readonly onClose: () => void;
}

const PREVIEWED = 3;

/** Copies the links of files in a format; each format has a preview. */
export default function FormatsDialog({ files, onClose }: FormatsDialogProps) {
  const what = formatPlural(files.length, "file");
  const copy = async (format: CopyFormat) => {
    const isDone = await copyText(toCopiedLines(files, format));
    onClose();
    toast(
      isDone
        ? { title: `${COPY_TITLES[format]} of ${what} copied` }
        : { tone: "danger", title: "The browser blocked copying" },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Copy ${what} as`}
      description={files.some(isPrivate) ? "Pages cannot show private files by these links." : undefined}
      width={520}
    >
      <ul className={styles.formats}>
        {COPY_FORMATS.map((format) => (
          <li key={format} className={styles.format}>
            <Button icon={Copy} className={styles.button} onClick={() => void copy(format)}>
              {COPY_TITLES[format]}
            </Button>
            <code className={styles.code}>{toCopiedLines(files.slice(0, PREVIEWED), format)}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
