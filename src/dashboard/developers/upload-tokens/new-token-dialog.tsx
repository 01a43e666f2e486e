import { CodeBlock } from "../../design/code-block.tsx";
import { formatDate } from "../../design/format.ts";
import { sparePart } from "../../design/lazy-part.tsx";
import { Secret } from "../../design/secret.tsx";
import { SecretDialog } from "../../design/secret-dialog.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { elementSnippet } from "./element-snippet.ts";
import { type MadeToken, NewTokenForm } from "./new-token-form.tsx";
import styles from "./upload-tokens.module.css";

const TryUpload = sparePart(() => import("./try-upload.tsx"), <Skeleton height={76} />);

interface NewTokenDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The lazy dialog that asks for a token's limits, then shows the token once, with HTML that uses it and the element itself. */
export default function NewTokenDialog(props: NewTokenDialogProps) {
  return (
    <SecretDialog<MadeToken>
      {...props}
      title="New upload token"
      description="Visitors can read the token in your page, so give it no more than they need."
      form={(onMade, onCancel) => <NewTokenForm onMade={onMade} onCancel={onCancel} />}
      show={(made) => ({
        title: "Upload token created",
        description: `It is shown only once. It expires on ${formatDate(made.expiresAt, "time")}.`,
        action: "Done",
        body: <MadeParts token={made} />,
      })}
    />
  );
}

function MadeParts({ token: { token, limits } }: { readonly token: MadeToken }) {
  const { origins = [] } = limits;
  const isAllowedHere = origins.length === 0 || origins.includes(location.origin);
  return (
    <div className={styles.made}>
      <Secret text={token} label="Token" />
      <section aria-labelledby="token-html">
        <h3 id="token-html">In your page</h3>
        <CodeBlock code={elementSnippet({ baseUrl: location.origin, token, limits })} label="HTML" line />
      </section>
      <section aria-labelledby="token-try">
        <h3 id="token-try">Try it here</h3>
        {isAllowedHere ? (
          <TryUpload token={token} limits={limits} />
        ) : (
          <p className={styles.soft}>
            This page is none of the token's pages ({origins.join(", ")}), so the service would refuse the upload.
          </p>
        )}
      </section>
    </div>
  );
}
