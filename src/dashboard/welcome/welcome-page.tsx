import KeyRound from "lucide-react/icons/key-round";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { Empty } from "../design/empty.tsx";
import { Section } from "../design/section.tsx";
import { BASE } from "../shell/base.ts";
import { forgetFirstKey, readFirstKey } from "../shell/first-key.ts";
import { ShownKey } from "../shell/key-tools/shown-key.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { Page } from "../shell/page.tsx";
import { FirstDrop } from "./first-drop.tsx";
import styles from "./welcome-page.module.css";

/** The first page after registration. It shows the upload key, which is shown only once, and takes the first upload. */
export default function WelcomePage() {
  const [secret] = useState(readFirstKey);
  const [isStored, setIsStored] = useState(false);
  const [, navigate] = useLocation();
  const [held, stay] = useAskBeforeLeaving(secret !== undefined);
  const leave = (path: string) => {
    forgetFirstKey();
    navigate(path, { replace: true });
  };
  return (
    <Page title="Welcome">
      {secret === undefined ? (
        <Empty
          icon={KeyRound}
          title="This key can't be shown again"
          action={<LinkButton to="/developers">Keys</LinkButton>}
        >
          A key is shown only once, right after registration. If you did not save it, regenerate it. The old key then
          stops working.
        </Empty>
      ) : (
        <Section title="Your upload key" description="Programs use this key to upload.">
          <ShownKey secret={secret} />
        </Section>
      )}
      <FirstDrop onStored={() => setIsStored(true)} />
      <div className={styles.end}>
        {secret !== undefined && isStored && <p>The file is in your library.</p>}
        <Button tone="main" size="large" onClick={() => leave("/library")}>
          {secret === undefined ? "Go to the library" : "I saved the key"}
        </Button>
      </div>
      <ConfirmDialog
        open={held !== undefined}
        onOpenChange={stay}
        title="Did you save the key?"
        action="Yes, continue"
        tone="main"
        onConfirm={() => leave(held ?? "/library")}
      >
        It can't be shown again. If you lose it, you can regenerate it on the page Developers.
      </ConfirmDialog>
    </Page>
  );
}

/**
 * Asks before the user leaves the page: the browser asks before it closes or reloads the page, and the page holds back links to other
 * pages.
 * @returns the target of the held link, without the base path, and a function that clears it
 */
function useAskBeforeLeaving(isNeeded: boolean): readonly [string | undefined, () => void] {
  const [held, setHeld] = useState<string>();
  useEffect(() => {
    if (!isNeeded) return;
    const abort = new AbortController();
    addEventListener("beforeunload", (event) => event.preventDefault(), { signal: abort.signal });
    const hold = (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (link === null || link.target !== "" || link.hasAttribute("download")) return;
      if (link.origin !== location.origin || !link.pathname.startsWith(`${BASE}/`)) return;
      event.preventDefault();
      event.stopPropagation();
      setHeld(link.pathname.slice(BASE.length) + link.search);
    };
    // The capture phase comes before the router's own click handlers.
    document.addEventListener("click", hold, { capture: true, signal: abort.signal });
    return () => abort.abort();
  }, [isNeeded]);
  return [held, () => setHeld(undefined)];
}
