import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActOfAdmin } from './audit.ts';

/** Ids that link a request or an event to everything that it causes. */
interface Context {
  correlationId: string;
  causationId: string | null;
  /** What an admin does in this request; undefined for other callers. */
  act?: ActOfAdmin | undefined;
}

const storage = new AsyncLocalStorage<Context>();

export const runInContext = <T>(context: Context, work: () => T): T => storage.run(context, work);

export const currentContext = (): Context | undefined => storage.getStore();
