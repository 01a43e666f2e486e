import { Link } from "wouter";
import styles from "./settings-nav.module.css";

/** Links to the two settings pages. */
export function SettingsNav() {
  const className = (isActive: boolean) => (isActive ? `${styles.link} ${styles.active}` : (styles.link ?? ""));
  return (
    <nav aria-label="Settings" className={styles.nav}>
      <Link to="/settings" className={className}>
        Files and tools
      </Link>
      <Link to="/settings/account" className={className}>
        Account
      </Link>
    </nav>
  );
}
