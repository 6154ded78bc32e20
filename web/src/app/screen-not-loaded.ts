export class ScreenNotLoadedError extends Error {}

/** Wraps `load` so that it throws `ScreenNotLoadedError`; each browser has a different message. */
export const namingFailure =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await load();
    } catch (cause) {
      throw new ScreenNotLoadedError('The screen could not be fetched', { cause });
    }
  };
