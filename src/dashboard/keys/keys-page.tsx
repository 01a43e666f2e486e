import { Empty } from "../design/empty.tsx";
import { Page } from "../shell/page.tsx";

export default function KeysPage() {
  return (
    <Page title="Keys">
      <Empty title="Keys" />
    </Page>
  );
}
