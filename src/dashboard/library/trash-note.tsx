import { Button } from "../design/button.tsx";
import styles from "./trash-note.module.css";
import type { Actions } from "./use-actions.ts";
import type { Library } from "./use-library.ts";

interface TrashNoteProps {
  readonly library: Library;
  readonly actions: Actions;
}

/** What being in the trash means, above what is in it. */
export function TrashNote({ library: { total = 0 }, actions }: TrashNoteProps) {
  return (
    <div className={styles.note}>
      <p>
        Files in the trash still count as storage, and their links still work. To take a file down, delete it for good.
      </p>
      {total > 0 && (
        <Button size="small" tone="danger" onClick={actions.emptyTrash}>
          Empty the trash
        </Button>
      )}
    </div>
  );
}
