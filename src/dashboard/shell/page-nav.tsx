import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { classNames } from "../design/class-names.ts";
import styles from "./page-nav.module.css";

interface PageNavProps {
  /** The accessible name. */
  readonly label: string;
  readonly links: readonly { readonly path: string; readonly title: string }[];
}

/** Links to pages that belong together, such as the pages of the settings. */
export function PageNav({ label, links }: PageNavProps) {
  const [current] = useLocation();
  const nav = useRef<HTMLElement>(null);
  // On phones the links are a row that scrolls.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, []);
  return (
    <nav ref={nav} aria-label={label} className={styles.nav}>
      {links.map(({ path, title }) => (
        <Link
          key={path}
          to={path}
          className={classNames(styles.link, path === current && styles.active)}
          aria-current={path === current ? "page" : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
