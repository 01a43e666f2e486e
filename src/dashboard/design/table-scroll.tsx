import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import table from "./table.module.css";

interface TableScrollProps {
  /** What the table shows. */
  readonly label: string;
  readonly className?: string;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** The frame of a table, which scrolls where it is too wide: so it can be reached by the keyboard, and has a name. */
export function TableScroll({ label, className, isBusy, children }: TableScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section aria-label={label} aria-busy={isBusy} tabIndex={0} className={classNames(table.scroll, className)}>
      {children}
    </section>
  );
}
