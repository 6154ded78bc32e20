export class ScreenNotLoadedError extends Error {}

/** Makes `load` throw `ScreenNotLoadedError`, because each browser has its own message for a failed import. */
export function namingFailure<T>(load: () => Promise<T>) {
  return async (): Promise<T> => {
    try {
      return await load();
    } catch (cause) {
      throw new ScreenNotLoadedError('The screen could not be fetched', { cause });
    }
  };
}
