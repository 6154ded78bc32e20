/** "García" becomes "G.". The first character may be a surrogate pair. */
export const initialOf = (name: string): string => {
  const [first] = name;
  return first === undefined ? '' : `${first}.`;
};
