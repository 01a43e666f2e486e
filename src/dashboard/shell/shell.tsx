import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { accountQuery, useAccount } from "../api/queries/account.ts";
import { overviewQuery } from "../api/queries/overview.ts";
import { queryClient } from "../api/query-client.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { closeDrawer, useDrawer } from "./drawer-store.ts";
import { LoginDialog } from "./login-dialog.tsx";
import { RequireSession } from "./require-session.tsx";
import styles from "./shell.module.css";
import { Sidebar } from "./sidebar.tsx";
import { TabBar } from "./tab-bar.tsx";
import { useDrawerFocus } from "./use-drawer-focus.ts";

const Banners = lazyPart(() => import("./banners.tsx"));
const Overlays = lazyPart(() => import("./overlays.tsx"));

/** Loads the shell's parts, and asks for whose account it is. @throws what an import throws */
export async function loadShell(): Promise<void> {
  void queryClient.prefetchQuery(accountQuery);
  void queryClient.prefetchQuery(overviewQuery);
  await Promise.all([Banners.load(), Overlays.load()]);
}

interface ShellProps {
  /** The library's sections of the sidebar. */
  readonly sidebar?: ReactNode;
  /** What takes files on every page, and shows how far they are. */
  readonly uploads?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page for those who are logged in: sidebar, page, and what lies over it. */
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
          Skip to the content
        </a>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is drawn over the page. */}
        <div
          ref={side}
          className={styles.side}
          data-open={drawer || undefined}
          onKeyDown={({ key }) => key === "Escape" && closeDrawer()}
        >
          <Sidebar>{sidebar}</Sidebar>
        </div>
        {drawer && <button type="button" className={styles.scrim} aria-label="Close the menu" onClick={closeDrawer} />}
        <main id="main" tabIndex={-1} className={styles.main} inert={drawer}>
          <Suspense fallback={null}>
            <Banners />
          </Suspense>
          {children}
        </main>
        {uploads}
        <TabBar inert={drawer} />
        <Suspense fallback={null}>
          <Overlays />
        </Suspense>
        <LoginDialog />
      </div>
    </RequireSession>
  );
}
