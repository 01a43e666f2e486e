import type { LucideIcon } from "lucide-react";
import type { AnchorHTMLAttributes } from "react";
import { Link } from "wouter";
import styles from "../design/button.module.css";
import { classNames } from "../design/class-names.ts";

interface LinkButtonProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** A page of the dashboard: "/shares". */
  readonly to: string;
  readonly icon?: LucideIcon;
  readonly size?: "small" | "normal";
}

/** A link that looks like a button. */
export function LinkButton({ to, icon: Icon, size = "normal", className, children, ...props }: LinkButtonProps) {
  return (
    <Link {...props} to={to} className={classNames(styles.button, styles.plain, styles[size], className)}>
      {Icon && <Icon size={size === "small" ? 14 : 16} aria-hidden />}
      {children}
    </Link>
  );
}
