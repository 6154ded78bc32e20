import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

interface Command {
  positionals: string[];
  values: { home: string; help: boolean };
  /** `DATABASE_URL`, else the accounts' database of the running marketplace at `--home`. */
  databaseUrl(): Promise<string>;
}

/** What a command of accounts was asked; ends the process with the usage where an option is unknown. */
export const readCommand = (usage: string): Command => {
  const { positionals, values } = readArguments(usage);
  return {
    positionals,
    values,
    async databaseUrl() {
      if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
      const run = JSON.parse(await readFile(path.join(values.home, 'run.json'), 'utf8'));
      return run.databases.accounts;
    },
  };
};

const readArguments = (usage: string) => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        home: { type: 'string', default: '.local' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
};
