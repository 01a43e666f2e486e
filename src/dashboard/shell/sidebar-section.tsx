import { type ReactNode, useId } from "react";
import styles from "./sidebar-section.module.css";

interface SidebarSectionProps {
  readonly title: string;
  /** A small `IconButton` next to the heading. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A section of the sidebar, such as folders or tags. */
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
