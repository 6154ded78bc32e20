import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

type Load<M = object> = () => Promise<M>;

/** An export, and what every other file gets in its place. The compiler checks both: a rename is an error here. */
export interface Change {
  file: string;
  name: string;
  by: (module: never) => unknown;
}

/** One way to break a guarantee of the whole system, and the tests that must turn red by it. */
export interface Mutant {
  /** A line of docs/security.md, or what else must never go wrong. */
  rule: number | 'events' | 'money' | 'search';
  /** What the system does once it is broken. */
  breaks: string;
  changes: Change[];
  /** A file of tests, or a journey. */
  test: Load;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The file that `() => import('…')` names. Nothing is imported: the compiler alone looks at it. */
export const fileOf = (load: Load): string => {
  const [, path] = /import\(\s*["'](.+?)["']/.exec(load.toString()) ?? [];
  if (!path) throw new Error(`This imports nothing: ${load}`);
  return relative(root, fileURLToPath(new URL(path, import.meta.url)));
};

/** In place of `name`, everybody else imports what `by` makes of the module as it is. */
export const replace = <M extends object, K extends keyof M & string>(
  load: Load<M>,
  name: K,
  by: (module: M) => M[K],
): Change => ({ file: fileOf(load), name, by });
