import { Empty } from "../design/empty.tsx";
import { Page } from "../shell/page.tsx";

export default function LogPage() {
  return (
    <Page title="Operation log">
      <Empty title="Operation log" />
    </Page>
  );
}
