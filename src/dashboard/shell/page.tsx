import type { ReactNode } from "react";
import styles from "./page.module.css";
import { TopBar } from "./top-bar.tsx";

interface PageProps {
  readonly title: string;
  /** The title of the document: the shown section's, if the page has sections. */
  readonly documentTitle?: string;
  /** Buttons next to the title. */
  readonly actions?: ReactNode;
  /** Uses the full width of wide screens, for columns or tables. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** The title and content of a plain page, centred, at a readable width. */
export function Page({ title, documentTitle = title, actions, isWide = false, children }: PageProps) {
  return (
    <>
      <TopBar title={title} documentTitle={documentTitle} actions={actions} />
      <div className={styles.scroll}>
        <div className={styles.column} data-wide={isWide || undefined}>
          {children}
        </div>
      </div>
    </>
  );
}
