/**
 * Coalesces concurrent reads with the same key. A caller that arrives during a read shares the next one, so that its
 * result is never older than its call. Callers of a failed read all get its error.
 */
export const shareReads = <T>(): ((key: string, read: () => Promise<T>) => Promise<T>) => {
  const underWay = new Map<string, { now: Promise<T>; next?: Promise<T> }>();

  const start = (key: string, read: () => Promise<T>): Promise<T> => {
    const reading: { now: Promise<T>; next?: Promise<T> } = { now: read() };
    underWay.set(key, reading);
    reading.now.then(
      () => {
        if (!reading.next) underWay.delete(key);
      },
      () => underWay.delete(key),
    );
    return reading.now;
  };

  return (key, read) => {
    const reading = underWay.get(key);
    if (!reading) return start(key, read);
    reading.next ??= reading.now.then(() => start(key, read));
    return reading.next;
  };
};
