import { useRef } from "react";
import { Link } from "wouter";
import { Dialog } from "../design/dialog.tsx";
import { formatKeys } from "../design/format-keys.ts";
import { type Command, useCommands } from "./commands.ts";
import styles from "./help-sheet.module.css";
import { useSingleKeys } from "./single-keys.ts";

/** Keys that the grid of files handles itself; they are not commands. */
const GRID_KEYS = [
  { title: "Move", keys: ["ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight"] },
  { title: "First, last", keys: ["Home", "End"] },
  { title: "Open", keys: ["Enter"] },
  { title: "Select", keys: ["x", "Space"] },
  { title: "Select up to here", keys: ["Shift+ArrowRight"] },
] as const;

interface HelpSheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

interface Row {
  readonly title: string;
  readonly keys: readonly string[];
}

/** All shortcuts of the current page. */
export default function HelpSheet({ open, onOpenChange }: HelpSheetProps) {
  const groups = groupRows(useCommands());
  const isSingleOn = useSingleKeys();
  const sheet = useRef<HTMLElement>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" width={680} initialFocus={sheet}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element needs keyboard focus. */}
      <section ref={sheet} tabIndex={0} aria-label="Shortcuts" className={styles.columns} data-fills>
        {!isSingleOn && (
          <p className={styles.off}>
            Single-key shortcuts are off. Turn them on in{" "}
            <Link href="/settings/account" onClick={() => onOpenChange(false)}>
              Account settings
            </Link>
            .
          </p>
        )}
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
      </section>
    </Dialog>
  );
}

function groupRows(commands: readonly Command[]): (readonly [string, readonly Row[]])[] {
  const withKeys = commands.flatMap(({ keys, title, group = "General" }) =>
    keys === undefined ? [] : [{ title, group, keys: [keys] }],
  );
  const ofGrid = GRID_KEYS.map((row) => ({ ...row, group: "Files" }));
  // The longest group fills one column, and the others the other.
  return [...Map.groupBy([...withKeys, ...ofGrid], ({ group }) => group)].sort(
    ([, one], [, other]) => other.length - one.length,
  );
}
