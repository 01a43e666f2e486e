import ShieldUser from "lucide-react/icons/shield-user";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { registerCommands } from "./commands.ts";
import { SidebarLink } from "./sidebar-link.tsx";

const PAGES = [
  ["", "Health"],
  ["/accounts", "Accounts"],
  ["/reports", "Reports"],
  ["/takedowns", "Takedowns"],
  ["/queues", "Queues"],
  ["/shards", "Shards"],
  ["/audit", "Audit log"],
] as const;

/** The link and the commands of the operator's room, for accounts with the operator's mark. */
export default function OperatorLink() {
  const [path, navigate] = useLocation();
  useEffect(
    () =>
      registerCommands(
        PAGES.map(([page, title]) => ({
          id: `go:/operator${page}`,
          title: `Operator: ${title}`,
          icon: ShieldUser,
          group: "Go to",
          run: () => navigate(`/operator${page}`),
        })),
      ),
    [navigate],
  );
  return <SidebarLink href="/operator" icon={ShieldUser} title="Operator" current={path.startsWith("/operator")} />;
}
