import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

/** Ends a command with a message for a person. */
export const fail = (sentence: string, usage = ''): never => {
  console.error(usage ? `${sentence}\n\n${usage}` : sentence);
  process.exit(2);
};

/**
 * A command's arguments, as `parse` reads them; `--help` prints the usage instead. What `parse` throws ends the
 * command with its message.
 */
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

/** An operator's command for the running marketplace at `--home`, unless a setting names another one. */
export const readOperatorCommand = (usage: string) => {
  // The id of a key may begin with a hyphen, and no option is a single letter.
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
    /** An address: the setting's, else what `find` takes from the marketplace's run.json. */
    async addressOf(setting: string, find: (run: RunFile) => string): Promise<string> {
      const given = process.env[setting];
      if (given) return given;
      return find(await readRunFile(values.home, `set ${setting}`));
    },
  };
};

/** What runs in a home; the command ends when nothing does, with what to do instead. */
export const readRunFile = async (home: string, instead: string): Promise<RunFile> => {
  const file = path.join(home, 'run.json');
  const run = await readFile(file, 'utf8').catch(() =>
    fail(`Nothing runs in ${home}: there is no ${file}. Start it, or ${instead}.`),
  );
  return JSON.parse(run) as RunFile;
};

/** What commands read of a running marketplace's run.json. */
interface RunFile {
  broker: { amqp: string };
  databases: Record<string, string>;
  /** What each process was given as its environment. */
  settings: Record<string, Record<string, string>>;
}
