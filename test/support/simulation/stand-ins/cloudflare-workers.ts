/** The parts of `cloudflare:workers` that the simulated code imports. */
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
