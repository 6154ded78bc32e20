/** What takes long to make, such as a formatter of `Intl`, is made when it is first asked for, and kept. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
