import { testTimeoutMs } from '../hangs-after.ts';

type Call = (...args: unknown[]) => unknown;

const runner = globalThis as unknown as typeof import('@jest/globals');

const withTimeout =
  (run: Call): Call =>
  async (...args) => {
    const late = Promise.withResolvers<never>();
    const fail = () => late.reject(new Error(`Not done after ${testTimeoutMs} ms`));
    const timer = setTimeout(fail, testTimeoutMs);
    try {
      await Promise.race([run(...args), late.promise]);
    } catch (error) {
      // If this is set, the journeys (browser tests) take screenshots of their pages.
      Reflect.set(globalThis, 'journeyFailed', true);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

/** Adds a timeout, also to `it.each` and `it.only`, because this runner has none. */
const endingWhenHung = <T extends object>(declare: T): T =>
  new Proxy(declare, {
    apply: (target, self, args: unknown[]) => {
      const timed = args.map((arg) => (typeof arg === 'function' ? withTimeout(arg as Call) : arg));
      const more: unknown = Reflect.apply(target as Call, self, timed);
      return typeof more === 'function' ? endingWhenHung(more) : more;
    },
    get: (target, key) => {
      const more: unknown = Reflect.get(target, key);
      return typeof more === 'function' ? endingWhenHung(more) : more;
    },
  });

export const { describe, expect, jest } = runner;
export const it = endingWhenHung(runner.it);
export const beforeAll = endingWhenHung(runner.beforeAll);
export const beforeEach = endingWhenHung(runner.beforeEach);
export const afterEach = endingWhenHung(runner.afterEach);
export const afterAll = endingWhenHung(runner.afterAll);
