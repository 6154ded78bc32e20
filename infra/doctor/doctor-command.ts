import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { fail, readCommandLine } from '@lendtools/service-kit/command-line';
import { examine } from './examine.ts';
import type { Finding, Subject } from './finding.ts';

const names: readonly Subject['name'][] = [...serviceNames, 'gateway', 'broker'];

const usage = `npm run doctor                      the marketplace that \`npm start\` runs
npm run doctor -- --of <name>       one process, by the settings of this environment:
                                    ${names.join(', ')}

--home <folder>   of the running marketplace (default .local)
--json            output for scripts

It changes nothing and shows no password. Exits with 1 if something is wrong.`;

interface Run {
  broker: { amqp: string; page: string | null };
  settings: Record<string, NodeJS.Dict<string>>;
}

const { values } = readCommandLine(usage, (args) =>
  parseArgs({
    args,
    options: {
      home: { type: 'string', default: '.local' },
      of: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  }),
);

function subjectsOf({ broker, settings }: Run): Subject[] {
  const processes = Object.entries(settings).map(([name, env]) => ({
    name: name as Subject['name'],
    env: { ...process.env, ...env },
  }));
  if (broker.page === null) return processes;
  const passwordOf = (service: ServiceName): string | undefined => {
    const { AMQP_DECLARES, AMQP_URL } = settings[service] ?? {};
    return AMQP_DECLARES === 'own' && AMQP_URL ? new URL(AMQP_URL).password : undefined;
  };
  const env = {
    AMQP_URL: broker.amqp,
    AMQP_MANAGEMENT_URL: broker.page,
    ...Object.fromEntries(
      serviceNames.map((name) => [`${name.toUpperCase()}_BROKER_PASSWORD`, passwordOf(name)]),
    ),
  };
  return [...processes, { name: 'broker', env }];
}

async function readRun(): Promise<Run> {
  const file = path.join(values.home, 'run.json');
  const text = await readFile(file, 'utf8').catch(() =>
    fail(`No marketplace is running in ${values.home}: ${file} does not exist.`, usage),
  );
  return JSON.parse(text) as Run;
}

function lineOf({ about, check, isFine, says, todo }: Finding): string {
  const line = `${isFine ? 'ok   ' : 'WRONG'}  ${about.padEnd(13)}  ${check.padEnd(15)}  ${says}`;
  return todo ? `${line}\n${' '.repeat(7)}→ ${todo}` : line;
}

function isName(name: string): name is Subject['name'] {
  return (names as readonly string[]).includes(name);
}

const { of } = values;
if (of !== undefined && !isName(of)) fail(`Unknown name: ${of}.`, usage);
const subjects =
  of === undefined
    ? subjectsOf(await readRun())
    : [{ name: of as Subject['name'], env: process.env }];
const findings = await examine(subjects);
const wrong = findings.filter(({ isFine }) => !isFine);
if (values.json) console.log(JSON.stringify(findings, null, 2));
else {
  console.log(findings.map(lineOf).join('\n'));
  const found = wrong.length === 1 ? '1 problem' : `${wrong.length || 'No'} problems`;
  console.log(`\n${found} found.`);
}

process.exit(wrong.length === 0 ? 0 : 1);
