import ChartColumn from "lucide-react/icons/chart-column";
import Folder from "lucide-react/icons/folder";
import Images from "lucide-react/icons/images";
import Settings from "lucide-react/icons/settings";
import Upload from "lucide-react/icons/upload";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { accountQuery, useAccount } from "../api/queries/account.ts";
import { overviewQuery } from "../api/queries/overview.ts";
import { queryClient } from "../api/query-client.ts";
import { useSession } from "../api/session-store.ts";
import { sparePart } from "../design/lazy-part.tsx";
import { runCommand, useCommands } from "./commands.ts";
import { closeDrawer, openDrawer, useDrawer } from "./drawer-store.ts";
import { LoginDialog } from "./login-dialog.tsx";
import styles from "./shell.module.css";
import { Sidebar } from "./sidebar.tsx";

const PageBanners = sparePart(() => import("./page-banners.tsx"));
const Overlays = sparePart(() => import("./overlays.tsx"));

/** Loads the shell's parts and the account. @throws an import's error */
export async function loadShell(): Promise<void> {
  void queryClient.prefetchQuery(accountQuery);
  void queryClient.prefetchQuery(overviewQuery);
  await Promise.all([PageBanners.load(), Overlays.load()]);
}

interface ShellProps {
  /** The sidebar sections of the library. */
  readonly sidebar?: ReactNode;
  /** The drop target and upload tray of every page. */
  readonly uploads?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page for logged-in users: sidebar, page and overlays. */
export function Shell({ sidebar, uploads, children }: ShellProps) {
  const drawer = useDrawer();
  const side = useRef<HTMLDivElement>(null);
  useDrawerFocus(side, drawer);
  const [path] = useLocation();
  useAccount();
  useEffect(closeDrawer, [path]);
  return (
    <RequireSession>
      <div className={styles.shell}>
        <a href="#main" className={styles.skip}>
          Skip to content
        </a>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the drawer. */}
        <div
          ref={side}
          className={styles.side}
          data-open={drawer || undefined}
          onKeyDown={({ key }) => key === "Escape" && closeDrawer()}
        >
          <Sidebar>{sidebar}</Sidebar>
        </div>
        {drawer && <button type="button" className={styles.scrim} aria-label="Close menu" onClick={closeDrawer} />}
        <main id="main" tabIndex={-1} className={styles.main} inert={drawer}>
          <PageBanners />
          {children}
        </main>
        {uploads}
        <TabBar inert={drawer} />
        <Overlays />
        <LoginDialog />
      </div>
    </RequireSession>
  );
}

/** Redirects users who are not logged in to the log-in page, which leads back here. The page renders without waiting for the check. */
function RequireSession({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const [path, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    if (session !== "none") return;
    const here = `/dashboard${path}${search === "" ? "" : `?${search}`}`;
    navigate(`/login?${new URLSearchParams({ next: here })}`, { replace: true });
  }, [session, path, search, navigate]);
  return session === "none" ? null : children;
}

/** Moves the focus into the drawer when it opens, and back to the opening button when it closes. */
function useDrawerFocus(drawer: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const opener = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isOpen) {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      drawer.current?.querySelector<HTMLElement>("a[aria-current], a")?.focus();
    } else {
      // The focus is already in the page if a link was followed.
      if (drawer.current?.contains(document.activeElement)) opener.current?.focus();
      opener.current = null;
    }
  }, [drawer, isOpen]);
}

/** The main navigation at the bottom of the page, on phones. */
function TabBar({ inert }: { readonly inert: boolean }) {
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
