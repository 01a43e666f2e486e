import UserRound from "lucide-react/icons/user-round";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { ListedAccount } from "../../client/types.ts";
import { useOperatorList } from "../api/queries/operator.ts";
import { tierName } from "../api/tier-words.ts";
import { Field } from "../design/field.tsx";
import { formatDate } from "../design/format.ts";
import rows from "../design/rows.module.css";
import { Section } from "../design/section.tsx";
import { useSettled } from "../design/use-settled.ts";
import { OperatorListView } from "./operator-list.tsx";

/** Accounts by e-mail. The search is in the URL, so Back returns to it. */
export default function AccountsSection() {
  const [search, setSearch] = useSearchParams();
  const [text, setText] = useState(search.get("q") ?? "");
  const settled = useSettled(text.trim());
  useEffect(() => {
    setSearch(settled === "" ? {} : { q: settled }, { replace: true });
  }, [settled, setSearch]);
  const list = useOperatorList<ListedAccount>("/admin/accounts", { q: settled === "" ? undefined : settled });
  return (
    <Section title="Accounts" description="By e-mail. Each change is in the audit log with your account.">
      <Field
        label="Search accounts"
        name="q"
        type="search"
        autoComplete="off"
        placeholder="person@example.com"
        hint="The beginning of an e-mail, or an account's id."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <OperatorListView
        of={list}
        what="accounts"
        empty={{
          icon: UserRound,
          title: "No account matches",
          text: "Search by the beginning of the e-mail, or by the id.",
        }}
      >
        {(accounts) => (
          <ul className={rows.list} aria-label="Accounts">
            {accounts.map((account) => (
              <li key={account._id} className={rows.item}>
                <div className={rows.words}>
                  <p className={rows.name}>
                    <Link to={`/operator/accounts/${account._id}`}>{account.email}</Link>
                  </p>
                  <p className={rows.facts}>{factsOf(account).join(" · ")}</p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </OperatorListView>
    </Section>
  );
}

function factsOf({ name, tier, createdAt, emailVerified, operator }: ListedAccount): string[] {
  return [
    ...(name === null ? [] : [name]),
    tierName(tier),
    `Since ${formatDate(createdAt, "short")}`,
    ...(emailVerified ? [] : ["E-mail not verified"]),
    ...(operator ? ["Operator"] : []),
  ];
}
