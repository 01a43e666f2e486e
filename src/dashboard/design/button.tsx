import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./button.module.css";
import { classNames } from "./class-names.ts";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main`: the page's main action; `danger`: cannot be undone; `quiet`: no frame. */
  readonly tone?: "main" | "plain" | "danger" | "quiet";
  readonly size?: "small" | "normal" | "large";
  readonly icon?: LucideIcon;
  /** The action is in progress: the button stays focusable and ignores clicks. */
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly children?: ReactNode;
}

export function Button({
  tone = "plain",
  size = "normal",
  icon: Icon,
  busy = false,
  className,
  children,
  onClick,
  type = "button",
  ...props
}: ButtonProps) {
  return (
    <button
      {...props}
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={classNames(styles.button, styles[tone], styles[size], className)}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span className={styles.spinner} /> : Icon && <Icon size={size === "small" ? 14 : 16} aria-hidden />}
      {children}
    </button>
  );
}
