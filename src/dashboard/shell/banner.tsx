import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "../design/class-names.ts";
import styles from "./banner.module.css";

interface BannerProps {
  readonly icon: LucideIcon;
  readonly tone?: "plain" | "warn" | "danger";
  readonly title: string;
  readonly children: ReactNode;
}

export function Banner({ icon: Icon, tone = "plain", title, children }: BannerProps) {
  return (
    <div className={classNames(styles.banner, styles[tone])}>
      <Icon size={16} aria-hidden />
      <p>
        <strong>{title}</strong> {children}
      </p>
    </div>
  );
}
