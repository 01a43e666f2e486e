import { type ReactNode, useId } from "react";
import styles from "./sidebar-section.module.css";

interface SidebarSectionProps {
  readonly title: string;
  /** At the end of its heading: a small `IconButton`. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the sidebar under a heading: folders, tags. */
export function SidebarSection({ title, action, children }: SidebarSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}
