import Compass from "lucide-react/icons/compass";
import { Empty } from "../design/empty.tsx";
import { LinkButton } from "./link-button.tsx";
import { Page } from "./page.tsx";

export default function NotFoundPage() {
  return (
    <Page title="Not found">
      <Empty icon={Compass} title="Page not found" action={<LinkButton to="/library">Go to your files</LinkButton>} />
    </Page>
  );
}
