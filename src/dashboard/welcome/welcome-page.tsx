import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { Empty } from "../design/empty.tsx";
import { Section } from "../design/section.tsx";
import { forgetFirstKey, readFirstKey } from "../shell/first-key.ts";
import { ShownKey } from "../shell/key-tools/shown-key.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { Page } from "../shell/page.tsx";
import { FirstDrop } from "./first-drop.tsx";
import { useAskBeforeLeaving } from "./use-ask-before-leaving.ts";
import styles from "./welcome-page.module.css";

/** First run: the key, which is shown this once, how to use it, and the first file. */
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
        <Empty icon={KeyRound} title="The key is not here any more" action={<LinkButton to="/keys">Keys</LinkButton>}>
          It is shown once, right after registering. If it was not kept, make another one: the old one then stops.
        </Empty>
      ) : (
        <Section title="Your upload key" description="With it, programs upload files to your account.">
          <ShownKey secret={secret} />
        </Section>
      )}
      <FirstDrop onStored={() => setIsStored(true)} />
      <div className={styles.end}>
        {secret !== undefined && isStored && <p>The file is in your library.</p>}
        <Button tone="main" size="large" onClick={() => leave("/library")}>
          {secret === undefined ? "Go to the library" : "I have kept it"}
        </Button>
      </div>
      <ConfirmDialog
        open={held !== undefined}
        onOpenChange={stay}
        title="Have you kept the key?"
        action="Yes, go on"
        tone="main"
        onConfirm={() => leave(held ?? "/library")}
      >
        It cannot be shown again. Without it you make another one on the page Keys.
      </ConfirmDialog>
    </Page>
  );
}
