import ShieldAlert from "lucide-react/icons/shield-alert";
import { useState } from "react";
import { Link } from "wouter";
import type { ListedTakedown, Takedown } from "../../client/types.ts";
import { ACCOUNT_ACTOR, MODERATION_ACTOR } from "../../domain/operator.ts";
import { useAccount } from "../api/queries/account.ts";
import { useOperatorChange, useOperatorList } from "../api/queries/operator.ts";
import { Button } from "../design/button.tsx";
import { Field } from "../design/field.tsx";
import { formatDate } from "../design/format.ts";
import rows from "../design/rows.module.css";
import { Section } from "../design/section.tsx";
import { toast } from "../design/toast.tsx";
import styles from "./operator.module.css";
import { OperatorListView } from "./operator-list.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";
import { useListSearch } from "./use-list-search.ts";

const DEFAULT_KEEP_DAYS = "30";

/** Files that were taken down, newest first. */
export default function TakedownsSection() {
  const { text, setText, wanted } = useListSearch("file");
  const list = useOperatorList<ListedTakedown>("/admin/takedowns", { file: wanted });
  const [isTaking, setTaking] = useState(false);
  return (
    <Section
      title="Takedowns"
      description="These files answer 451, and their bytes cannot be uploaded again."
      aside={
        <Button tone="main" onClick={() => setTaking(true)}>
          Take a file down
        </Button>
      }
    >
      <Field
        className={styles.search}
        label="Search takedowns"
        name="search"
        type="search"
        autoComplete="off"
        placeholder="https://cdn.example.com/uploads/…"
        hint="A file's address or id."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <OperatorListView
        of={list}
        what="takedowns"
        empty={
          wanted === undefined
            ? { icon: ShieldAlert, title: "No file was taken down" }
            : { icon: ShieldAlert, title: "No takedown matches", text: "Search by the file's whole address or id." }
        }
      >
        {(takedowns) => (
          <ul className={rows.list} aria-label="Takedowns">
            {takedowns.map((takedown) => (
              <TakedownRow key={takedown.id} of={takedown} />
            ))}
          </ul>
        )}
      </OperatorListView>
      <TakeDownDialog open={isTaking} onOpenChange={setTaking} />
    </Section>
  );
}

function TakedownRow({ of: takedown }: { readonly of: ListedTakedown }) {
  const { id, originalFilename: name, reason, createdAt, keepUntil, state, accountId, email } = takedown;
  const change = useOperatorChange<{ readonly restored: boolean } | undefined>();
  const [isAsking, setAsking] = useState(false);
  return (
    <li className={rows.item}>
      <div className={rows.words}>
        <p className={rows.name}>{name}</p>
        <p className={rows.facts}>
          {reason} · {formatDate(createdAt, "time")} ·{" "}
          {email === null ? "Account erased" : <Link to={`/operator/accounts/${accountId}`}>{email}</Link>}
        </p>
        <p className={rows.facts}>
          <TakenDownBy takedown={takedown} />
        </p>
        <p className={rows.facts}>{stateWords(state, keepUntil)}</p>
      </div>
      {state === "kept" && (
        <Button size="small" aria-label={`Restore ${name}`} onClick={() => setAsking(true)}>
          Restore
        </Button>
      )}
      <ReasonDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Restore “${name}”?`}
        description="The file is served again, and its bytes may be uploaded again within a minute."
        action="Restore"
        onConfirm={async (why) => {
          const answer = await change.mutateAsync({ method: "DELETE", path: `/admin/takedowns/${id}`, reason: why });
          const isServed = answer?.restored ?? true;
          toast({ title: isServed ? `“${name}” is served again` : "Its owner had deleted the upload", tone: "ok" });
        }}
      />
    </li>
  );
}

/** The marked account, or the name that the command line sent with the operator's token. */
function TakenDownBy({ takedown: { actor, actorEmail } }: { readonly takedown: ListedTakedown }) {
  const own = `${ACCOUNT_ACTOR}${useAccount().data?._id}`;
  if (actor === null) return "The audit log names who took it down.";
  if (actor === own) return "Taken down by you";
  if (actor === MODERATION_ACTOR) return "Taken down by the moderation hook";
  if (!actor.startsWith(ACCOUNT_ACTOR)) return `Taken down by ${actor} with the operator's token`;
  const id = actor.slice(ACCOUNT_ACTOR.length);
  if (actorEmail === null) return `Taken down by the erased account ${id}`;
  return (
    <>
      Taken down by <Link to={`/operator/accounts/${id}`}>{actorEmail}</Link>
    </>
  );
}

function stateWords(state: Takedown["state"], keepUntil: string | null): string {
  if (state === "restored") return "Restored: the file is served again.";
  if (state === "destroyed" || keepUntil === null) return "Its bytes are destroyed.";
  return `Its bytes are kept until ${formatDate(keepUntil)}.`;
}

interface TakeDownDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

function TakeDownDialog({ open, onOpenChange }: TakeDownDialogProps) {
  const change = useOperatorChange();
  const [file, setFile] = useState("");
  const [days, setDays] = useState(DEFAULT_KEEP_DAYS);
  return (
    <ReasonDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Take a file down?"
      description="The file, its thumbnail and its preview answer 451 at once."
      action="Take down"
      tone="danger"
      reasonHint="The owner reads it."
      onConfirm={async (reason) => {
        const named = file.includes("/") ? { url: file.trim() } : { id: file.trim() };
        const body = { ...named, reason, keepDays: Number(days) };
        await change.mutateAsync({ method: "POST", path: "/admin/takedowns", body, reason });
        toast({ title: "File taken down", tone: "ok" });
        setFile("");
        setDays(DEFAULT_KEEP_DAYS);
      }}
    >
      <Field
        label="The file's address or id"
        name="file"
        autoComplete="off"
        required
        value={file}
        onChange={(event) => setFile(event.currentTarget.value)}
      />
      <Field
        label="Days to keep the bytes"
        name="keepDays"
        inputMode="numeric"
        pattern="[0-9]{1,4}"
        title="A number of days, such as 30"
        hint="0 destroys them at once. Then the file cannot be restored."
        required
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
    </ReasonDialog>
  );
}
