import ChartColumn from "lucide-react/icons/chart-column";
import Clock from "lucide-react/icons/clock";
import Images from "lucide-react/icons/images";
import Settings from "lucide-react/icons/settings";
import Share2 from "lucide-react/icons/share-2";
import SquareTerminal from "lucide-react/icons/square-terminal";
import Star from "lucide-react/icons/star";
import Trash2 from "lucide-react/icons/trash-2";
import { type ReactNode, Suspense } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { useAccount } from "../api/queries/account.ts";
import { useOverview } from "../api/queries/overview.ts";
import { useViewCount } from "../api/queries/view-count.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Logo } from "./logo.tsx";
import { recentSearch } from "./recent-search.ts";
import styles from "./sidebar.module.css";
import { SidebarLink } from "./sidebar-link.tsx";
import { StorageMeter } from "./storage-meter.tsx";

const OperatorLink = lazyPart(() => import("./operator-link.tsx"));

const PAGES = [
  { href: "/shares", title: "Shares", icon: Share2 },
  { href: "/usage", title: "Usage", icon: ChartColumn },
  { href: "/developers", title: "Developers", icon: SquareTerminal },
  { href: "/settings", title: "Settings", icon: Settings },
] as const;

/** The main navigation. @param children the library's sections: folders, tags */
export function Sidebar({ children }: { readonly children?: ReactNode }) {
  const [path] = useLocation();
  const [search] = useSearchParams();
  const files = useOverview().data?.files;
  const isLibrary = path.startsWith("/library");
  const recent = recentSearch(new Date());
  const favourites = useViewCount({ favorite: true });
  const recents = useViewCount({ from: recent.from });
  const chosen = isLibrary && (search.get("fav") === "1" ? "fav" : search.has("from") ? "recent" : "all");
  const isPlain = ["folder", "tags", "not", "q"].every((name) => !search.has(name));
  return (
    <nav className={styles.sidebar} aria-label="Library">
      <Link href="/library" className={styles.brand}>
        <Logo />
        Media host
      </Link>
      <div className={styles.scroll}>
        <SidebarLink
          href="/library"
          icon={Images}
          title="All files"
          count={files && files.total - files.trashed}
          current={chosen === "all" && isPlain}
        />
        <SidebarLink
          href="/library?fav=1"
          icon={Star}
          title="Favourites"
          count={favourites}
          current={chosen === "fav" && isPlain}
          data-drop-id="fav"
        />
        <SidebarLink
          href={`/library?${new URLSearchParams({ ...recent })}`}
          icon={Clock}
          title="Last 7 days"
          count={recents}
          current={chosen === "recent" && isPlain && search.get("from") === recent.from}
        />
        <SidebarLink
          href="/trash"
          icon={Trash2}
          title="Trash"
          count={files?.trashed}
          current={path.startsWith("/trash")}
          data-drop-id="trash"
        />
        {children}
        <div className={styles.pages}>
          {PAGES.map((page) => (
            <SidebarLink key={page.href} {...page} current={path.startsWith(page.href)} />
          ))}
          {useAccount().data?.operator && (
            <Suspense fallback={null}>
              <OperatorLink />
            </Suspense>
          )}
        </div>
      </div>
      <StorageMeter />
      <AccountMenu />
    </nav>
  );
}
