/** Adds a value to a statement and returns its placeholder, such as `$3`. */
export type AddValue = (value: unknown) => string;

/** Collects the values of a statement that is composed of parts, each of which adds values. */
export const statementValues = (...values: unknown[]): { values: unknown[]; value: AddValue } => ({
  values,
  value: (added) => `$${values.push(added)}`,
});
