import ChartColumn from "lucide-react/icons/chart-column";
import Images from "lucide-react/icons/images";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Settings from "lucide-react/icons/settings";
import Share2 from "lucide-react/icons/share-2";
import SquareTerminal from "lucide-react/icons/square-terminal";
import Sun from "lucide-react/icons/sun";
import Trash2 from "lucide-react/icons/trash-2";
import UserRound from "lucide-react/icons/user-round";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { type Command, registerCommands } from "./commands.ts";
import { setTheme } from "./theme.ts";

const PAGES = [
  { path: "/library", title: "All files", keys: "g l", icon: Images },
  { path: "/trash", title: "Trash", keys: "g t", icon: Trash2 },
  { path: "/shares", title: "Shares", icon: Share2 },
  { path: "/usage", title: "Usage", keys: "g u", icon: ChartColumn },
  { path: "/developers", title: "Developers: keys", keys: "g k", icon: SquareTerminal },
  { path: "/developers/upload-tokens", title: "Developers: upload tokens", icon: SquareTerminal },
  { path: "/developers/webhooks", title: "Developers: webhooks", icon: SquareTerminal },
  { path: "/developers/events", title: "Developers: events", icon: SquareTerminal },
  { path: "/developers/snippets", title: "Developers: snippets", icon: SquareTerminal },
  { path: "/settings", title: "Settings", keys: "g s", icon: Settings },
  { path: "/settings/account", title: "Account", icon: UserRound },
] as const;

const THEMES = [
  { theme: "system", title: "Use system theme", icon: Monitor },
  { theme: "light", title: "Use light theme", icon: Sun },
  { theme: "dark", title: "Use dark theme", icon: Moon },
] as const;

/** Registers the commands of every page: navigation and themes. */
export function useGlobalCommands(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    const pages: Command[] = PAGES.map(({ path, ...page }) => ({
      ...page,
      id: `go:${path}`,
      group: "Go to",
      run: () => navigate(path),
    }));
    const themes: Command[] = THEMES.map(({ theme, title, icon }) => ({
      id: `theme:${theme}`,
      title,
      icon,
      group: "Appearance",
      run: () => setTheme(theme),
    }));
    return registerCommands([...pages, ...themes]);
  }, [navigate]);
}
