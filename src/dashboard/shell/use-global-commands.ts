import ChartColumn from "lucide-react/icons/chart-column";
import Clock from "lucide-react/icons/clock";
import Files from "lucide-react/icons/files";
import Images from "lucide-react/icons/images";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Settings from "lucide-react/icons/settings";
import Share2 from "lucide-react/icons/share-2";
import SquareTerminal from "lucide-react/icons/square-terminal";
import Star from "lucide-react/icons/star";
import Sun from "lucide-react/icons/sun";
import Trash2 from "lucide-react/icons/trash-2";
import UserRound from "lucide-react/icons/user-round";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { type Command, registerCommands } from "./commands.ts";
import { recentSearch } from "./recent-search.ts";
import { setTheme } from "./theme.ts";

/** The pages, with the names that the sidebar and the pages' own navigation use. */
const PAGES = [
  { path: "/library", title: "All files", keys: "g l", icon: Images },
  { path: "/library?fav=1", title: "Favourites", icon: Star },
  { path: "/trash", title: "Trash", keys: "g t", icon: Trash2 },
  { path: "/duplicates", title: "Duplicates", icon: Files },
  { path: "/shares", title: "Shares", icon: Share2 },
  { path: "/usage", title: "Usage", keys: "g u", icon: ChartColumn },
  { path: "/developers", title: "Developers: Keys", keys: "g k", icon: SquareTerminal },
  { path: "/developers/upload-tokens", title: "Developers: Upload tokens", icon: SquareTerminal },
  { path: "/developers/webhooks", title: "Developers: Webhooks", icon: SquareTerminal },
  { path: "/developers/events", title: "Developers: Events", icon: SquareTerminal },
  { path: "/developers/snippets", title: "Developers: Snippets", icon: SquareTerminal },
  { path: "/settings", title: "Settings", keys: "g s", icon: Settings },
  { path: "/settings/account", title: "Account", icon: UserRound },
] as const;

const THEMES = [
  { theme: "system", title: "System theme", icon: Monitor },
  { theme: "light", title: "Light theme", icon: Sun },
  { theme: "dark", title: "Dark theme", icon: Moon },
] as const;

/** A browser's offer to install the page as an app, which TypeScript does not describe. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

/** Registers a command that installs the dashboard as an app, if the browser offers it. @returns the function that removes it */
function registerInstall(): () => void {
  const abort = new AbortController();
  let remove = () => {};
  const listen = (name: string, handle: (event: Event) => void) =>
    addEventListener(name, handle, { signal: abort.signal });
  listen("beforeinstallprompt", (event) => {
    event.preventDefault();
    remove();
    const run = () => void (event as InstallOffer).prompt();
    remove = registerCommands([{ id: "install", title: "Install as an app", icon: Monitor, run }]);
  });
  listen("appinstalled", () => remove());
  return () => {
    abort.abort();
    remove();
  };
}

/** Registers the commands of every page: navigation, themes and installing. */
export function useGlobalCommands(): void {
  useEffect(registerInstall, []);
  const [, navigate] = useLocation();
  useEffect(() => {
    const pages: Command[] = PAGES.map(({ path, ...page }) => ({
      ...page,
      id: `go:${path}`,
      group: "Go to",
      run: () => navigate(path),
    }));
    const recent: Command = {
      id: "go:recent",
      title: "Last 7 days",
      icon: Clock,
      group: "Go to",
      run: () => navigate(`/library?${new URLSearchParams({ ...recentSearch(new Date()) })}`),
    };
    const themes: Command[] = THEMES.map(({ theme, title, icon }) => ({
      id: `theme:${theme}`,
      title,
      icon,
      group: "Appearance",
      run: () => setTheme(theme),
    }));
    return registerCommands([...pages, recent, ...themes]);
  }, [navigate]);
}
