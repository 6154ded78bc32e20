/** "García" becomes "G."; the last name of "Deleted user" stays. */
export const lastInitialOf = ({
  firstName,
  lastName,
}: {
  firstName: string;
  lastName: string;
}): string => {
  if (firstName === 'Deleted' && lastName === 'user') return lastName;
  // The first character may be a surrogate pair.
  const [first] = lastName;
  return first === undefined ? '' : `${first}.`;
};
