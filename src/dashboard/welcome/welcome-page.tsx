import { Empty } from "../design/empty.tsx";
import { Page } from "../shell/page.tsx";

export default function WelcomePage() {
  return (
    <Page title="Welcome">
      <Empty title="Welcome" />
    </Page>
  );
}
