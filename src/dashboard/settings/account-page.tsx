import LogOut from "lucide-react/icons/log-out";
import { useAccount } from "../api/queries/account.ts";
import { useLogOut } from "../api/queries/session.ts";
import { tierName } from "../api/tier-words.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { formatDate } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { toast } from "../design/toast.tsx";
import { Page } from "../shell/page.tsx";
import { EraseSection } from "./erase-section.tsx";
import { NameForm } from "./name-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SettingsNav } from "./settings-nav.tsx";

export default function AccountPage() {
  const { data: account, error, refetch } = useAccount();
  const logOut = useLogOut();
  const leave = () =>
    logOut.mutate(undefined, {
      onError: (thrown) =>
        toast({ title: "Not logged out", description: describeError(thrown).message, tone: "danger" }),
    });
  return (
    <Page
      title="Account"
      actions={
        <Button icon={LogOut} busy={logOut.isPending} onClick={leave}>
          Log out
        </Button>
      }
    >
      <SettingsNav />
      {error !== null && account === undefined && (
        <Problem error={error} title="The account could not be loaded" onRetry={() => void refetch()} />
      )}
      {account === undefined && error === null && <Skeleton height={200} />}
      {account !== undefined && (
        <>
          <Section
            title="You"
            description={`${account.email} · ${tierName(account.tier)} · since ${formatDate(account.createdAt)}`}
          >
            <NameForm key={account.name} name={account.name} />
          </Section>
          <Section
            title="Password"
            description="Changing it ends every other session, on all devices. Keys go on to work."
          >
            <PasswordForm email={account.email} />
          </Section>
          <EraseSection email={account.email} />
        </>
      )}
    </Page>
  );
}
