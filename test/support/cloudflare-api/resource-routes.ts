import { randomUUID } from "node:crypto";
import type { CloudflareAccount, Consumer, Queue } from "./account-state.ts";
import { ok, REFUSALS } from "./answer.ts";
import { json, pageOf, type Routes } from "./router.ts";

/** D1, R2, Queues and workers.dev of an account. */
export const RESOURCE_ROUTES: Routes = {
  "GET /d1/database": ({ query }, _, account) => {
    const all = [...account.databases].map(([name, uuid]) => ({ name, uuid, version: "production" }));
    const { items, info } = pageOf(all, query);
    // D1 does not count its pages.
    const { total_pages: _pages, ...rest } = info;
    return ok(items, rest);
  },
  "POST /d1/database": (call, _, account) => {
    const body = json<{ name: string; primary_location_hint?: string; jurisdiction?: string }>(call);
    const { name, primary_location_hint: hint, jurisdiction } = body;
    if (account.databases.has(name)) throw REFUSALS.databaseExists();
    account.places.set(name, { hint, jurisdiction });
    return ok({ uuid: account.addDatabase(name), name });
  },
  "GET /r2/buckets/:name": ({ jurisdiction }, { name = "" }, account) => {
    const isElsewhere = account.places.get(name)?.jurisdiction !== jurisdiction;
    if (!account.buckets.has(name) || isElsewhere) throw REFUSALS.noBucket();
    return ok({ name, location: "WEUR", storage_class: "Standard" });
  },
  "POST /r2/buckets": (call, _, account) => {
    const { name, locationHint: hint } = json<{ name: string; locationHint?: string }>(call);
    if (account.buckets.has(name)) throw REFUSALS.bucketExists();
    account.places.set(name, { hint, jurisdiction: call.jurisdiction });
    account.buckets.add(name);
    return ok({ name });
  },
  "GET /queues": ({ query }, _, account) => {
    const names = query.getAll("name");
    const all = [...account.queues.values()].filter(({ name }) => names.length === 0 || names.includes(name));
    const { items, info } = pageOf(all.map(toQueueBody), query);
    return ok(items, info);
  },
  "POST /queues": (call, _, account) => {
    const { queue_name: name } = json<{ queue_name: string }>(call);
    if (account.queues.has(name)) throw REFUSALS.queueExists();
    const queue: Queue = { id: randomUUID().replaceAll("-", ""), name, consumers: [] };
    account.queues.set(name, queue);
    return ok(toQueueBody(queue));
  },
  "POST /queues/:id/consumers": (call, { id = "" }, account) => {
    const consumer = toConsumer(randomUUID().replaceAll("-", ""), json(call));
    findQueue(account, id).consumers.push(consumer);
    return ok(consumer);
  },
  "PUT /queues/:id/consumers/:consumer": (call, { id = "", consumer: consumerId = "" }, account) => {
    const { consumers } = findQueue(account, id);
    const index = consumers.findIndex(({ consumer_id: found }) => found === consumerId);
    if (index < 0) throw REFUSALS.noRoute(call.path);
    consumers[index] = toConsumer(consumerId, json(call));
    return ok(consumers[index]);
  },
  "GET /workers/subdomain": (_, __, account) => {
    if (account.subdomain === undefined) throw REFUSALS.noSubdomain();
    return ok({ subdomain: account.subdomain });
  },
  "PUT /workers/subdomain": (call, _, account) => {
    const { subdomain } = json<{ subdomain: string }>(call);
    if (account.subdomain !== undefined) throw REFUSALS.subdomainTaken();
    account.subdomain = subdomain;
    return ok({ subdomain });
  },
};

function findQueue(account: CloudflareAccount, id: string): Queue {
  const queue = [...account.queues.values()].find((each) => each.id === id);
  if (queue === undefined) throw REFUSALS.noRoute(`/queues/${id}`);
  return queue;
}

interface ConsumerBody {
  readonly script_name: string;
  readonly dead_letter_queue?: string;
  readonly settings: Consumer["settings"];
}

function toConsumer(id: string, { script_name: script, dead_letter_queue, settings }: ConsumerBody): Consumer {
  return { consumer_id: id, script, settings, ...(dead_letter_queue === undefined ? {} : { dead_letter_queue }) };
}

function toQueueBody({ id, name, consumers }: Queue) {
  return {
    queue_id: id,
    queue_name: name,
    consumers: consumers.map((consumer) => ({ ...consumer, type: "worker" })),
  };
}
