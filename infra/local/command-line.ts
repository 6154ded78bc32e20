/**
 * What a command was asked, as `parse` reads it; `--help` prints the usage instead. What `parse`
 * throws ends the command with its sentence.
 */
export function readCommandLine<T>(usage: string, parse: (args: string[]) => T): T {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parse(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}
