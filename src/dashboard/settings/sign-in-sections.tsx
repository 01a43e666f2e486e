import { type SubmitEvent, useState } from "react";
import { MediaHostError } from "../../client/media-host-error.ts";
import { hasPasskeys, useAddPasskey, usePasskeys, useRemovePasskey } from "../api/queries/passkeys.ts";
import { useBeginTotp, useConfirmTotp, useRemoveTotp, useRenewRecoveryCodes, useTotp } from "../api/queries/totp.ts";
import { Button } from "../design/button.tsx";
import { CodeBlock } from "../design/code-block.tsx";
import { ConfirmDialog } from "../design/confirm-dialog.tsx";
import { Field } from "../design/field.tsx";
import { formatDate } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { QrCode } from "../design/qr-code.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { toast } from "../design/toast.tsx";
import styles from "./forms.module.css";
import { SessionsSection } from "./sessions-section.tsx";
import { TakenDownSection } from "./taken-down-section.tsx";

/** The lazy part of the account page: passkeys, the authenticator app, the open sessions, and files that were taken down. */
export default function SignInSections() {
  return (
    <>
      {hasPasskeys() && <PasskeySection />}
      <TotpSection />
      <SessionsSection />
      <TakenDownSection />
    </>
  );
}

function PasskeySection() {
  const passkeys = usePasskeys();
  const add = useAddPasskey();
  const remove = useRemovePasskey();
  const [name, setName] = useState("");
  const error = add.error ?? remove.error;
  const isClosed = error instanceof Error && error.name === "NotAllowedError";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!add.isPending) add.mutate(name.trim(), { onSuccess: () => setName("") });
  };
  return (
    <Section
      title="Passkeys"
      description="Log in with your fingerprint, face or PIN. A passkey needs no password and no code."
    >
      {passkeys.isPending && <Skeleton height={34} />}
      {passkeys.error !== null && passkeys.data === undefined && (
        <Problem
          error={passkeys.error}
          title="The passkeys could not be loaded"
          onRetry={() => void passkeys.refetch()}
        />
      )}
      {passkeys.data?.map((passkey) => (
        <div key={passkey._id} className={styles.actions}>
          <span>
            {passkey.name} · since {formatDate(passkey.createdAt)}
          </span>
          <Button aria-label={`Remove passkey ${passkey.name}`} onClick={() => remove.mutate(passkey._id)}>
            Remove
          </Button>
        </div>
      ))}
      <form onSubmit={submit} className={styles.form}>
        <Field
          label="Name of a new passkey"
          name="passkeyName"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          after={
            <Button type="submit" busy={add.isPending} disabled={name.trim() === ""}>
              Add passkey
            </Button>
          }
        />
      </form>
      {error !== null && !isClosed && <Problem error={error} title="The passkeys could not be changed" />}
    </Section>
  );
}

/** The service shows recovery codes once: as the answer that confirms the app. */
const CODES_LOST = new Error(
  "The answer with the codes was lost, or another tab has confirmed an app. Make new recovery codes, and save them.",
);

function TotpSection() {
  const totp = useTotp();
  const begin = useBeginTotp();
  const confirm = useConfirmTotp();
  const remove = useRemoveTotp();
  const renew = useRenewRecoveryCodes();
  const [isAsking, setAsking] = useState(false);
  /** The valid recovery codes, if this page has received them. */
  const [codes, setCodes] = useState<readonly string[]>();
  const [code, setCode] = useState("");
  const isOn = totp.data?.enabled === true;
  const error = isOn ? remove.error : (confirm.error ?? begin.error ?? remove.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (confirm.isPending) return;
    confirm.mutate(code, {
      onSuccess: ({ recoveryCodes }) => {
        setCodes(recoveryCodes);
        setCode("");
        begin.reset();
      },
    });
  };
  const forget = () => {
    setCodes(undefined);
    setCode("");
    begin.reset();
    confirm.reset();
  };
  const replaceCodes = async () => {
    try {
      setCodes((await renew.mutateAsync()).recoveryCodes);
      toast({ title: "The old recovery codes no longer work", tone: "ok" });
    } catch (error) {
      // If the answer is lost, the service may have replaced the codes.
      const isRefused = error instanceof MediaHostError && error.statusCode >= 400 && error.statusCode < 500;
      if (!isRefused) setCodes(undefined);
      throw error;
    }
  };
  return (
    <Section
      title="Authenticator app"
      description="A log-in by password then also needs a code of the app. Passkeys need no code."
    >
      {totp.isPending && <Skeleton height={34} />}
      {totp.error !== null && totp.data === undefined && (
        <Problem
          error={totp.error}
          title="The authenticator app could not be loaded"
          onRetry={() => void totp.refetch()}
        />
      )}
      {codes !== undefined && (
        <>
          <p>Save these recovery codes. Each is valid once, and they are shown only once.</p>
          <CodeBlock code={codes.join("\n")} label="Recovery codes" />
        </>
      )}
      {isOn && confirm.error !== null && codes === undefined && (
        <Problem error={CODES_LOST} title="The app is on, but its recovery codes are not known" />
      )}
      {isOn && (
        <div className={styles.actions}>
          <span>{totp.data?.recoveryCodesLeft} recovery codes left</span>
          <Button onClick={() => setAsking(true)}>New recovery codes</Button>
          <Button busy={remove.isPending} onClick={() => remove.mutate(undefined, { onSuccess: forget })}>
            Remove authenticator app
          </Button>
          <ConfirmDialog
            open={isAsking}
            onOpenChange={setAsking}
            title="Make new recovery codes?"
            action="Make new codes"
            tone="main"
            onConfirm={replaceCodes}
          >
            The old codes stop working at once. The new ones are shown only once.
          </ConfirmDialog>
        </div>
      )}
      {totp.data?.enabled === false && begin.data === undefined && (
        <div className={styles.actions}>
          <Button busy={begin.isPending} onClick={() => begin.mutate()}>
            Add authenticator app
          </Button>
        </div>
      )}
      {begin.data !== undefined && !isOn && (
        <form onSubmit={submit} className={styles.form}>
          <p>
            Scan the code with the app, or <a href={begin.data.uri}>open it on this device</a>.
          </p>
          <QrCode text={begin.data.uri} label="QR code for the app" />
          <p>If the app cannot scan, type this key into it.</p>
          <CodeBlock code={begin.data.secret} label="Key for the app" />
          <Field
            label="Code of the app"
            name="totpCode"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={6}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <div className={styles.actions}>
            <Button type="submit" busy={confirm.isPending} disabled={code.length < 6}>
              Confirm
            </Button>
          </div>
        </form>
      )}
      {error !== null && <Problem error={error} title="The authenticator app could not be changed" />}
    </Section>
  );
}
