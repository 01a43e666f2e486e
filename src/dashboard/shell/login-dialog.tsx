import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSession } from "../api/session-store.ts";
import { sparePart } from "../design/lazy-part.tsx";

export const LoginWindow = sparePart(() => import("./login-window.tsx"));

/** Opens over the page when the session is over. The page and its uploads stay as they are. */
export function LoginDialog() {
  const session = useSession();
  const queries = useQueryClient();
  const isOver = session === "over";
  const [wasShown, setWasShown] = useState(isOver);
  if (isOver && !wasShown) setWasShown(true);
  const wasOver = useRef(false);
  useEffect(() => {
    // The login may have happened in another tab.
    if (session === "open" && wasOver.current) void queries.invalidateQueries();
    wasOver.current = session === "over";
  }, [session, queries]);
  return wasShown && <LoginWindow open={isOver} />;
}
