import { useQueryClient } from "@tanstack/react-query";
import ShieldAlert from "lucide-react/icons/shield-alert";
import { useAccount } from "../api/queries/account.ts";
import { setSuspension, useSuspension } from "../api/suspension-store.ts";
import { Button } from "../design/button.tsx";
import { Banner } from "./banner.tsx";

/** Shows the operator's reason for the suspension of the account, and asks the service again. */
export default function SuspendedBanner() {
  const reason = useSuspension();
  const { refetch, isFetching } = useAccount();
  const queries = useQueryClient();
  if (reason === undefined) return null;
  const ask = async () => {
    if (!(await refetch()).isSuccess) return;
    setSuspension(undefined);
    await queries.invalidateQueries();
  };
  return (
    <Banner icon={ShieldAlert} tone="danger" title="This account is suspended.">
      The operator's reason: {reason} Nothing is deleted. Contact the operator of this service.{" "}
      <Button size="small" busy={isFetching} onClick={() => void ask()}>
        Try again
      </Button>
    </Banner>
  );
}
