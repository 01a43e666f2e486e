import type { ReactNode } from "react";
import styles from "./page.module.css";
import { TopBar } from "./top-bar.tsx";

interface PageProps {
  readonly title: string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The main column of a plain page: its title above, what it shows below, at a width that can be read. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <>
      <TopBar title={title} actions={actions} />
      <div className={styles.scroll}>
        <div className={styles.column}>{children}</div>
      </div>
    </>
  );
}
