import { type ReactNode, useEffect, useRef } from "react";
import styles from "./register-page.module.css";

interface OutcomeProps {
  /** `refused`: the request can never succeed. */
  readonly tone?: "done" | "refused";
  readonly children: ReactNode;
}

/** The result of a form or a link, in place of its button. It gets the focus that the button had, so that it is read out. */
export function Outcome({ tone = "done", children }: OutcomeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role={tone === "done" ? "status" : "alert"}
      className={tone === "done" ? styles.form : styles.refused}
    >
      {children}
    </div>
  );
}
