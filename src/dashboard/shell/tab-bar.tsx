import ChartColumn from "lucide-react/icons/chart-column";
import Folder from "lucide-react/icons/folder";
import Images from "lucide-react/icons/images";
import Settings from "lucide-react/icons/settings";
import Upload from "lucide-react/icons/upload";
import { Link, useLocation } from "wouter";
import { runCommand, useCommands } from "./commands.ts";
import { openDrawer } from "./drawer-store.ts";
import styles from "./tab-bar.module.css";

/** On phones, at the foot of the page. */
export function TabBar({ inert }: { readonly inert: boolean }) {
  const [path] = useLocation();
  const canUpload = useCommands().some(({ id }) => id === "upload");
  const current = (prefix: string) => (path.startsWith(prefix) ? ("page" as const) : undefined);
  return (
    <nav className={styles.bar} aria-label="Pages" id="tab-bar" inert={inert}>
      <Link href="/library" className={styles.tab} aria-current={current("/library")}>
        <Images size={20} aria-hidden />
        Library
      </Link>
      <button type="button" className={styles.tab} onClick={openDrawer}>
        <Folder size={20} aria-hidden />
        Folders
      </button>
      <button
        type="button"
        className={styles.upload}
        aria-label="Upload"
        disabled={!canUpload}
        onClick={() => runCommand("upload")}
      >
        <Upload size={20} aria-hidden />
      </button>
      <Link href="/usage" className={styles.tab} aria-current={current("/usage")}>
        <ChartColumn size={20} aria-hidden />
        Usage
      </Link>
      <Link href="/settings" className={styles.tab} aria-current={current("/settings")}>
        <Settings size={20} aria-hidden />
        Settings
      </Link>
    </nav>
  );
}
