import { Dialog } from "../design/dialog.tsx";
import { formatKeys } from "../design/format-keys.ts";
import { type Command, useCommands } from "./commands.ts";
import styles from "./help-sheet.module.css";
import { GRID_KEYS } from "./other-keys.ts";

interface HelpSheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

interface Row {
  readonly title: string;
  readonly keys: readonly string[];
}

/** All keys that do something on this page. */
export default function HelpSheet({ open, onOpenChange }: HelpSheetProps) {
  const groups = [...groupRows(useCommands()), ["Files", GRID_KEYS] as const];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" width={680}>
      <div className={styles.columns}>
        {groups.map(([title, rows]) => (
          <section key={title} className={styles.group}>
            <h3>{title}</h3>
            <dl>
              {rows.map((row) => (
                <div key={row.title} className={styles.row}>
                  <dt>{row.title}</dt>
                  <dd>
                    {row.keys.map((keys) => (
                      <kbd key={keys}>{formatKeys(keys)}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function groupRows(commands: readonly Command[]): (readonly [string, readonly Row[]])[] {
  const withKeys = commands.flatMap(({ keys, title, group = "General" }) =>
    keys === undefined ? [] : [{ title, group, keys: [keys] }],
  );
  return [...Map.groupBy(withKeys, ({ group }) => group)];
}
