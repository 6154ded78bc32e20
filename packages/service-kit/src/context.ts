import { AsyncLocalStorage } from 'node:async_hooks';

/** What a request or an event carries through everything that it causes. */
interface Context {
  correlationId: string;
  causationId: string | null;
}

const storage = new AsyncLocalStorage<Context>();

export const runInContext = <T>(context: Context, work: () => T): T => storage.run(context, work);

export const currentContext = (): Context | undefined => storage.getStore();
