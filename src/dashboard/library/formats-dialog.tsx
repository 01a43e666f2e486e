import Copy from "lucide-react/icons/copy";
import { Button } from "../design/button.tsx";
import { copyText } from "../design/copy-text.ts";
import { Dialog } from "../design/dialog.tsx";
import { toast } from "../design/toast.tsx";
import { COPY_FORMATS, COPY_TITLES, type CopyFormat, toCopiedLines } from "../file/copy-formats.ts";
import type { Item } from "./change.ts";
import styles from "./formats-dialog.module.css";
import { files } from "./words.ts";

interface FormatsDialogProps {
  readonly open: boolean;
  readonly onOpenChange: () => void;
  readonly items: readonly Item[];
}

const PREVIEWED = 3;

/** The links of files in every format, each seen before it is copied. */
export function FormatsDialog({ open, onOpenChange, items }: FormatsDialogProps) {
  const copied = items.map((item) => ({ ...item, name: item.prompt }));
  const copy = async (format: CopyFormat) => {
    const isDone = await copyText(toCopiedLines(copied, format));
    onOpenChange();
    toast(
      isDone
        ? { title: `${COPY_TITLES[format]} of ${files(items.length)} copied` }
        : { tone: "danger", title: "The browser did not let us copy" },
    );
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`Copy ${files(items.length)} as`} width={520}>
      <ul className={styles.formats}>
        {COPY_FORMATS.map((format) => (
          <li key={format} className={styles.format}>
            <Button icon={Copy} className={styles.button} onClick={() => void copy(format)}>
              {COPY_TITLES[format]}
            </Button>
            <code className={styles.code}>{toCopiedLines(copied.slice(0, PREVIEWED), format)}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
