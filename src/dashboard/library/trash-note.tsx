import { Button } from "../design/button.tsx";
import styles from "./library-page.module.css";
import type { Actions } from "./selection/use-actions.ts";
import type { Library } from "./use-library.ts";

interface TrashNoteProps {
  readonly library: Library;
  readonly actions: Actions;
}

/** Explains the trash above its files, and empties it. */
export default function TrashNote({ library: { total = 0 }, actions }: TrashNoteProps) {
  return (
    <div className={styles.note}>
      <p>
        Files in the trash still use storage, and their links still work. To take a file offline, delete it permanently.
      </p>
      {total > 0 && (
        <Button size="small" tone="danger" onClick={actions.emptyTrash}>
          Empty the trash
        </Button>
      )}
    </div>
  );
}
