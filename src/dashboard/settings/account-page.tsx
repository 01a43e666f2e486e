import LogOut from "lucide-react/icons/log-out";
import { useAccount, useLogOut } from "../api/queries/account.ts";
import { tierName } from "../api/tier-words.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { formatDate } from "../design/format.ts";
import { sparePart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { SkeletonSection } from "../design/skeleton-section.tsx";
import { toast } from "../design/toast.tsx";
import page from "../shell/page.module.css";
import { Page } from "../shell/page.tsx";
import { EmailForm } from "./email-form.tsx";
import { EraseSection } from "./erase-section.tsx";
import { KeyboardSection } from "./keyboard-section.tsx";
import { NameForm } from "./name-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SettingsNav } from "./settings-nav.tsx";

const SignInSections = sparePart(() => import("./sign-in-sections.tsx"));

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
      isWide
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
      {account === undefined && error === null && (
        <div className={page.columns}>
          <SkeletonSection />
          <SkeletonSection />
        </div>
      )}
      {account !== undefined && (
        <div className={page.columns}>
          <div className={page.stack}>
            <Section
              title="Profile"
              description={`${account.email} · ${tierName(account.tier)} · since ${formatDate(account.createdAt)} · id ${account._id}`}
            >
              <NameForm key={account.name} name={account.name} />
            </Section>
            <Section title="E-mail" description="Your present and your new address confirm a change.">
              <EmailForm />
            </Section>
            <Section title="Password" description="A new password ends all other sessions. API keys keep working.">
              <PasswordForm email={account.email} />
            </Section>
            <KeyboardSection />
          </div>
          <div className={page.stack}>
            <SignInSections />
            <EraseSection email={account.email} />
          </div>
        </div>
      )}
    </Page>
  );
}
