import { toLogLine } from "../domain/log-line.ts";
import { parseObjectKey } from "../domain/object-key.ts";
import type { FileViewed, ViewsCollected } from "../domain/queue-messages.ts";
import type { View } from "../domain/view-pack.ts";
import type { AccountMeter } from "../meter/account-meter.ts";
import type { ViewPack } from "../meter/views/view-packs.ts";
import type { Backoff } from "./backoff.ts";
import type { HandledMessage } from "./handled-message.ts";

export type ViewsMessage = HandledMessage<FileViewed> | HandledMessage<ViewsCollected>;
type Meter = Pick<DurableObjectStub<AccountMeter>, "recordViews">;

/** The number of accounts that are called at the same time: each call copies its views. */
const CALLS_AT_ONCE = 50;

/** The views of one account in a batch of messages. */
interface AccountViews {
  readonly views: View[];
  readonly packs: ViewPack[];
  readonly messages: ViewsMessage[];
}

/**
 * Adds a batch of views to their accounts, with one call to each account. A message is acknowledged when all its
 * accounts have their views. If an account cannot be reached, the message is retried with growing delays. A view has an
 * id, and a pack has its journal and sequence, which a dead-letter queue keeps too: a second delivery counts nothing
 * (FILE-3).
 */
export async function recordViews(
  messages: readonly ViewsMessage[],
  backoff: Backoff,
  meterOf: (accountId: string) => Meter,
): Promise<void> {
  const failed = new Map<ViewsMessage, unknown>();
  const left = sortByAccount(messages).entries();
  const work = async () => {
    for (const [accountId, account] of left) {
      try {
        await meterOf(accountId).recordViews(account.views, account.packs);
      } catch (error) {
        const messages = account.messages.map(({ id }) => id).join();
        console.error(toLogLine("views.not-recorded", { accountId, messages }, error));
        for (const message of account.messages) failed.set(message, error);
      }
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  for (const message of messages) {
    if (failed.has(message)) message.retry({ delaySeconds: backoff(message.attempts) }, failed.get(message));
    else message.ack();
  }
}

function sortByAccount(messages: readonly ViewsMessage[]): Map<string, AccountViews> {
  const accounts = new Map<string, AccountViews>();
  const of = (accountId: string, message: ViewsMessage): AccountViews => {
    const account = accounts.get(accountId) ?? { views: [], packs: [], messages: [] };
    accounts.set(accountId, account);
    account.messages.push(message);
    return account;
  };
  for (const message of messages) {
    const { body } = message;
    if (body.type === "file.viewed") {
      of(body.accountId, message).views.push(toView(message.id, body));
    } else {
      const { journal, sequence } = body;
      for (const [accountId, bytes] of body.packs) of(accountId, message).packs.push({ journal, sequence, bytes });
    }
  }
  return accounts;
}

/** A view of a file or its thumbnail is logged with the upload's id, like any operation. */
function toView(messageId: string, { viewId, viewedAt, objectKey }: FileViewed): View {
  return { id: viewId ?? messageId, at: viewedAt, resourceId: parseObjectKey(objectKey)?.uploadId ?? objectKey };
}
