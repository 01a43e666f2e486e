import MenuIcon from "lucide-react/icons/menu";
import Upload from "lucide-react/icons/upload";
import { type ReactNode, useEffect } from "react";
import { Button } from "../design/button.tsx";
import { IconButton } from "../design/icon-button.tsx";
import { useCommands } from "./commands.ts";
import { openDrawer } from "./drawer-store.ts";
import { SearchField } from "./search-field.tsx";
import styles from "./top-bar.module.css";

interface TopBarProps {
  readonly title: string;
  readonly documentTitle?: string;
  /** Replaces the title, for example with a breadcrumb. It contains the page's `h1`. */
  readonly heading?: ReactNode;
  /** Replaces the search field that opens the library. */
  readonly search?: ReactNode;
  readonly actions?: ReactNode;
}

/** The first row of a page: title, search, actions, upload. */
export function TopBar({ title, documentTitle = title, heading, search = <SearchField />, actions }: TopBarProps) {
  const upload = useCommands().find(({ id }) => id === "upload");
  useEffect(() => {
    document.title = `${documentTitle} · Media host`;
  }, [documentTitle]);
  return (
    <header className={styles.bar}>
      <IconButton label="Menu" icon={MenuIcon} size="large" className={styles.drawerButton} onClick={openDrawer} />
      <div className={styles.heading}>{heading ?? <h1 className={styles.title}>{title}</h1>}</div>
      {search}
      <div className={styles.actions}>
        {actions}
        {upload && (
          <Button tone="main" size="large" icon={Upload} className={styles.upload} onClick={upload.run}>
            Upload
          </Button>
        )}
        {upload?.beside}
      </div>
    </header>
  );
}
