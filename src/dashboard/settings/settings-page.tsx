import { Empty } from "../design/empty.tsx";
import { Page } from "../shell/page.tsx";

export default function SettingsPage() {
  return (
    <Page title="Settings">
      <Empty title="Settings" />
    </Page>
  );
}
