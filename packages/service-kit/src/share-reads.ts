/**
 * Of what several ask at the same time one reading is made. Whoever asks while one is under way shares the next, which
 * begins after they asked: so nobody is told less than a reading of their own would have told them.
 * @throws what the reading throws, to all who share it, and to those who wait for the next
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
