import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectRoot } from './home.ts';
import { processes, settingsOf } from './test/processes.ts';

const example = readFileSync(join(projectRoot, '.env.example'), 'utf8');
const compose = readFileSync(join(projectRoot, 'infra', 'docker-compose.yml'), 'utf8');
const listed = new Set(
  [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
);

describe('.env.example', () => {
  it.each(processes)('lists every setting of %s', async (folder) => {
    const settings = await settingsOf(folder);

    expect(settings.filter(({ name }) => !listed.has(name))).toEqual([]);
  });

  it('lists every variable of the compose file', () => {
    const requested = [...compose.matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map(([, name]) => name);

    expect(requested.filter((name) => !listed.has(name))).toEqual([]);
  });

  it('leaves every secret empty', () => {
    const filled = example.match(/^\w*(PASSWORD|SECRET|_KEY)=.+$/gm) ?? [];

    expect(filled).toEqual([]);
  });
});
