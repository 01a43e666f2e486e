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
  // The links are a row that scrolls on phones.
  useEffect(() => {
    const show = () =>
      nav.current?.querySelector(`[href$="${current}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    show();
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [current]);
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
