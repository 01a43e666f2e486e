import { MAX_ORDER_SECONDS } from "../domain/allowance.ts";
import { toLogLine } from "../domain/log-line.ts";
import type { VariantOrdered } from "../domain/variants/variant-order.ts";
import { makeOrdered, type OrderContext } from "../services/variants/make-ordered.ts";
import type { Backoff } from "./backoff.ts";
import type { HandledMessage } from "./handled-message.ts";

/** The number of attempts. After them, only a later request orders the variant again. */
const MAX_ATTEMPTS = 5;

/** Makes a variant that was ordered (VAR-11). Failures are retried a few times, and a substitute is served in the meantime. */
export async function handleOrderedVariant(
  message: HandledMessage<VariantOrdered>,
  backoff: Backoff,
  context: OrderContext,
): Promise<void> {
  const { id: messageId, attempts, body } = message;
  const { accountId, uploadId } = body;
  const startedAt = context.now();
  try {
    await makeOrdered(context, body).finally(() => settle(context, message, (context.now() - startedAt) / 1000));
    message.ack();
  } catch (error) {
    console.error(toLogLine("variant.not-made", { messageId, attempts, accountId, uploadId }, error));
    if (attempts < MAX_ATTEMPTS) {
      message.retry({ delaySeconds: backoff(attempts) }, error);
      return;
    }
    await giveUp(context, body).catch((failure) =>
      console.error(toLogLine("variant.not-given-up", { messageId, accountId, uploadId }, failure)),
    );
    message.ack();
  }
}

/** Tells the account's allowance how long a try took. If that fails, the account has paid for the longest try. */
async function settle(
  { keeperOf }: OrderContext,
  { attempts, body }: HandledMessage<VariantOrdered>,
  seconds: number,
): Promise<void> {
  const taken = attempts === 1 ? MAX_ORDER_SECONDS : 0;
  await keeperOf(body.fileKey)
    .settle(body, Math.min(seconds, MAX_ORDER_SECONDS) - taken)
    .catch((error: unknown) => console.error(toLogLine("variant.not-settled", { uploadId: body.uploadId }, error)));
}

/** The object may be stored although its file was deleted since. The maker also forgets an order after some minutes. */
async function giveUp({ files, keeperOf }: OrderContext, order: VariantOrdered): Promise<void> {
  await Promise.all([files.delete(order.objectKey), keeperOf(order.fileKey).decline(order)]);
}
