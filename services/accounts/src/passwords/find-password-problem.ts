import type { PasswordProblem, PasswordRules, Person } from '../domain/password-rules.ts';

let rules: Promise<PasswordRules> | undefined;

const loadRules = async (): Promise<PasswordRules> => {
  const { PasswordRules } = await import('../domain/password-rules.ts');
  return new PasswordRules();
};

/** Finds out why a new password is easy to guess. Loads the word lists on first use: they take 80 MB and 0.5 s. */
export const findPasswordProblem = async (
  password: string,
  person: Person,
): Promise<PasswordProblem | undefined> => {
  rules ??= loadRules();
  return (await rules).findProblem(password, person);
};
