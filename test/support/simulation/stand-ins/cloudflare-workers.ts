/** What the simulated code takes of `cloudflare:workers`. */
export class DurableObject<Env> {
  protected readonly ctx: DurableObjectState;
  protected readonly env: Env;

  constructor(ctx: DurableObjectState, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

export class RpcTarget {}
export class WorkerEntrypoint {}
