import { Empty } from "../design/empty.tsx";
import { Page } from "../shell/page.tsx";

export default function KeyPage() {
  return (
    <Page title="Key">
      <Empty title="Key" />
    </Page>
  );
}
