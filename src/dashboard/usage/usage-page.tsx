import { Empty } from "../design/empty.tsx";
import { Page } from "../shell/page.tsx";

export default function UsagePage() {
  return (
    <Page title="Usage">
      <Empty title="Usage" />
    </Page>
  );
}
