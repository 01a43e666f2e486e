import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import table from "./table.module.css";

interface TableScrollProps {
  /** The table's accessible name. */
  readonly label: string;
  readonly className?: string;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** The frame of a table. It scrolls if the table is too wide, so it can have the focus and has a name. The landmark is the section around it. */
export function TableScroll({ label, className, isBusy, children }: TableScrollProps) {
  return (
    <div
      role="group"
      aria-label={label}
      aria-busy={isBusy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element needs keyboard focus.
      tabIndex={0}
      className={classNames(table.scroll, className)}
    >
      {children}
    </div>
  );
}
