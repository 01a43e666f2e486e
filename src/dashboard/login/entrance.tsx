import { type ReactNode, useEffect } from "react";
import { Logo } from "../shell/logo.tsx";
import styles from "./entrance.module.css";

interface EntranceProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly foot: ReactNode;
}

/** The frame of the log-in and registration pages. */
export function Entrance({ title, children, foot }: EntranceProps) {
  useEffect(() => {
    document.title = `${title} · Media host`;
  }, [title]);
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <p className={styles.brand}>
          <Logo size={28} />
          Media host
        </p>
        <section className={styles.card}>
          <h1>{title}</h1>
          {children}
        </section>
        <p className={styles.foot}>{foot}</p>
      </div>
    </main>
  );
}
