import { PageNav } from "../shell/page-nav.tsx";

const LINKS = [
  { path: "/settings", title: "Files" },
  { path: "/settings/account", title: "Account" },
] as const;

/** Links to the two settings pages. */
export function SettingsNav() {
  return <PageNav label="Settings" links={LINKS} />;
}
