import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useAccount } from "../api/queries/account.ts";
import { useSession } from "../api/session-store.ts";
import { Dialog } from "../design/dialog.tsx";
import { LoginForm } from "./login-form.tsx";

/** Over the page when its session is over: everything that is shown and under way is kept. */
export function LoginDialog() {
  const session = useSession();
  const queries = useQueryClient();
  const email = useAccount().data?.email;
  const wasOver = useRef(false);
  useEffect(() => {
    // Another tab may have logged in.
    if (session === "open" && wasOver.current) void queries.invalidateQueries();
    wasOver.current = session === "over";
  }, [session, queries]);
  return (
    <Dialog
      required
      open={session === "over"}
      onOpenChange={() => undefined}
      title="Log in again"
      description="Your session has ended. The page stays as it is."
    >
      <LoginForm email={email} />
    </Dialog>
  );
}
