import type { CDPSession, Locator, Page } from "playwright-core";
import { middleOf } from "./middle-of.ts";

/** One finger, as a touch screen reports it. The browser turns it into gestures: long presses, scrolling, taps. */
export class Finger {
  readonly #session: CDPSession;
  #x = 0;
  #y = 0;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async on(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page));
  }

  /** Puts the finger on the middle of an element, and holds it there. */
  async press(on: Locator, milliseconds: number): Promise<void> {
    ({ x: this.#x, y: this.#y } = await middleOf(on));
    await this.#send("touchStart");
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  async moveTo(over: Locator): Promise<void> {
    const { x, y } = await middleOf(over);
    await this.moveBy(x - this.#x, y - this.#y);
  }

  async moveBy(dx: number, dy: number): Promise<void> {
    const steps = 12;
    for (let step = 0; step < steps; step += 1) {
      this.#x += dx / steps;
      this.#y += dy / steps;
      await this.#send("touchMove");
    }
  }

  lift(): Promise<void> {
    return this.#send("touchEnd");
  }

  async #send(type: "touchStart" | "touchMove" | "touchEnd"): Promise<void> {
    const touchPoints = type === "touchEnd" ? [] : [{ x: this.#x, y: this.#y }];
    await this.#session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
}
