/** The code or the style of a screen could not be fetched. */
export class ScreenNotLoadedError extends Error {}

/** As `load`, with an error that says what it means: each browser has words of its own for it. */
export const namingFailure =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await load();
    } catch (cause) {
      throw new ScreenNotLoadedError('The screen could not be fetched', { cause });
    }
  };
