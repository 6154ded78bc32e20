/** The code or the style of a screen could not be fetched. */
export class ScreenNotLoadedError extends Error {}

/** Like `load`, with an error that says what it means: each browser words it differently. */
export const namingFailure =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await load();
    } catch (cause) {
      throw new ScreenNotLoadedError('The screen could not be fetched', { cause });
    }
  };
