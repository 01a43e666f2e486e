import type { LucideIcon } from "lucide-react";
import type { HTMLAttributes } from "react";
import { Link } from "wouter";
import { formatCount } from "../design/format.ts";
import { closeDrawer } from "./drawer-store.ts";
import styles from "./sidebar.module.css";

interface SidebarLinkProps extends HTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly count?: number | undefined;
  readonly current: boolean;
}

/** A row of the sidebar. Other props are set on the `<a>`, such as the id of a drop target. */
export function SidebarLink({ href, icon: Icon, title, count, current, ...props }: SidebarLinkProps) {
  return (
    <Link
      {...props}
      href={href}
      className={styles.link}
      aria-current={current ? "page" : undefined}
      onClick={closeDrawer}
    >
      <Icon size={17} aria-hidden />
      <span className={styles.title}>{title}</span>
      {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
    </Link>
  );
}
