import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

/** Prints the message. Exits with status 1; for a usage error, prints the usage too and exits with 2. */
export const fail = (sentence: string, usage = ''): never => {
  console.error([sentence, usage].filter(Boolean).join('\n\n'));
  process.exit(usage ? 2 : 1);
};

/** Parses the command's arguments. `--help` prints the usage instead. If `parse` throws, exits with its message. */
export const readCommandLine = <T>(usage: string, parse: (args: string[]) => T): T => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parse(args);
  } catch (error) {
    return fail((error as Error).message, usage);
  }
};

export const readOperatorCommand = (usage: string) => {
  // Treat `-x…` as the id of a signing key: such an id may begin with a hyphen, and no option is a single letter.
  const isId = (arg: string) => /^-[^-]/.test(arg);
  const { positionals, values } = readCommandLine(usage, (args) =>
    parseArgs({
      args: [...args.filter((arg) => !isId(arg)), '--', ...args.filter(isId)],
      allowPositionals: true,
      options: { home: { type: 'string', default: '.local' } },
    }),
  );
  return {
    positionals,
    async addressOf(setting: string, find: (run: RunFile) => string): Promise<string> {
      const given = process.env[setting];
      if (given) return given;
      return find(await readRunFile(values.home, `set ${setting}`));
    },
  };
};

/** Reads run.json. If there is none, exits and prints what to do instead. */
export const readRunFile = async (home: string, instead: string): Promise<RunFile> => {
  const file = path.join(home, 'run.json');
  const run = await readFile(file, 'utf8').catch(() =>
    fail(`Nothing runs in ${home}: there is no ${file}. Start it, or ${instead}.`),
  );
  return JSON.parse(run) as RunFile;
};

interface RunFile {
  broker: { amqp: string };
  databases: Record<string, string>;
  settings: Record<string, Record<string, string>>;
}
