import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import Keyboard from "lucide-react/icons/keyboard";
import LogOut from "lucide-react/icons/log-out";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import UserRound from "lucide-react/icons/user-round";
import { useLocation } from "wouter";
import { useAccount, useLogOut } from "../api/queries/account.ts";
import { describeError } from "../design/describe-error.ts";
import { Menu } from "../design/menu.tsx";
import type { MenuItem } from "../design/menu-popup.tsx";
import { toast } from "../design/toast.tsx";
import styles from "./account-menu.module.css";
import { runCommand } from "./commands.ts";
import { closeDrawer } from "./drawer-store.ts";
import { setTheme, type Theme, useTheme } from "./theme.ts";

const THEMES = [
  { id: "system", title: "System theme", icon: Monitor },
  { id: "light", title: "Light theme", icon: Sun },
  { id: "dark", title: "Dark theme", icon: Moon },
] as const satisfies readonly { id: Theme; title: string; icon: typeof Sun }[];

/** The user's name with a menu: account, shortcuts, theme, log out. */
export function AccountMenu() {
  const account = useAccount().data;
  const theme = useTheme();
  const [, navigate] = useLocation();
  const logOut = useLogOut();
  const name = account?.name ?? account?.email ?? "";
  const items: MenuItem[] = [
    { id: "account", title: "Account", icon: UserRound, onSelect: () => navigate("/settings/account") },
    { id: "help", title: "Keyboard shortcuts", icon: Keyboard, keys: "?", onSelect: () => runCommand("help") },
    ...THEMES.map((each, index) => ({
      ...each,
      checked: each.id === theme,
      separated: index === 0,
      onSelect: () => setTheme(each.id),
    })),
    {
      id: "log-out",
      title: "Log out",
      icon: LogOut,
      separated: true,
      onSelect: () =>
        logOut.mutate(undefined, {
          onError: (error) =>
            toast({ title: "Not logged out", description: describeError(error).message, tone: "danger" }),
        }),
    },
  ];
  const trigger = (
    <button type="button" className={styles.trigger}>
      <span className={styles.face} data-initials={initials(name)} />
      <span className="hidden-text">Account: </span>
      <span className={styles.name}>{name}</span>
      <ChevronsUpDown size={15} aria-hidden />
    </button>
  );
  const closing = items.map((item) => ({
    ...item,
    onSelect() {
      if (item.checked === undefined) closeDrawer();
      item.onSelect();
    },
  }));
  return <Menu trigger={trigger} items={closing} side="top" />;
}

/** "Ines Kallevik" -> "IK"; "ines@example.com" -> "I". */
function initials(name: string): string {
  const [first = "", ...rest] = name.replace(/@.*/, "").split(/\s+/);
  return `${first.charAt(0)}${rest.at(-1)?.charAt(0) ?? ""}`.toUpperCase();
}
