import { Empty } from "../design/empty.tsx";
import { Page } from "../shell/page.tsx";

export default function AccountPage() {
  return (
    <Page title="Account">
      <Empty title="Account" />
    </Page>
  );
}
