import Compass from "lucide-react/icons/compass";
import { Link } from "wouter";
import { Empty } from "../design/empty.tsx";
import { Page } from "./page.tsx";

export default function NotFoundPage() {
  return (
    <Page title="Not found">
      <Empty icon={Compass} title="Page not found">
        <p>
          <Link href="/library">Go to your files</Link>
        </p>
      </Empty>
    </Page>
  );
}
