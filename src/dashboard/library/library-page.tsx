import { Empty } from "../design/empty.tsx";
import { Page } from "../shell/page.tsx";

export default function LibraryPage() {
  return (
    <Page title="All files">
      <Empty title="All files" />
    </Page>
  );
}
