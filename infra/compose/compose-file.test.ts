import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@lendtools/contracts';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

interface ComposeService {
  build?: unknown;
  environment?: Record<string, string>;
  logging?: unknown;
  healthcheck?: { test: string[] };
  profiles?: string[];
}

const here = import.meta.dirname;
const read = (name: string): string => readFileSync(join(here, name), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'compose-'));
const envFile = join(folder, '.env');
const makeEnv = () =>
  spawnSync(process.execPath, [join(here, 'make-env.mjs'), envFile], { encoding: 'utf8' });

beforeAll(() => void makeEnv());
afterAll(() => rmSync(folder, { recursive: true }));

/** As Compose replaces them in values, after it has parsed the file: `${NAME:?}`, `${NAME:-default}` and `$$`. */
const interpolate = (value: unknown, env: NodeJS.Dict<string>): unknown => {
  if (Array.isArray(value)) return value.map((each) => interpolate(each, env));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, interpolate(each, env)]),
    );
  if (typeof value !== 'string') return value;
  return value.replace(/\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g, (found, name, mark, rest) => {
    if (found === '$$') return '$';
    if (!env[name] && mark === '?') throw new Error(`${name} is not set`);
    return env[name] || (mark === '-' ? rest : '');
  });
};

const composeFile = (): { services: Record<string, ComposeService> } => {
  const file = parse(read('../docker-compose.yml'), { merge: true });
  return interpolate(file, parseEnv(readFileSync(envFile, 'utf8'))) as never;
};
const servicesThat = (fits: (service: ComposeService) => boolean): string[] =>
  Object.entries(composeFile().services)
    .filter(([, service]) => fits(service))
    .map(([name]) => name);

describe('docker-compose.yml', () => {
  it("is right by Compose's schema, with the settings that make-env writes", () => {
    // Its `$schema` is not draft 7's own address, and its formats are Compose's.
    const options = { strict: false, validateSchema: false, validateFormats: false };
    const validate = new Ajv(options).compile(JSON.parse(read('compose-spec/compose-spec.json')));

    validate(composeFile());

    expect(validate.errors ?? []).toEqual([]);
  });

  it('asks each container whether it is well, and lets no log grow for ever', () => {
    const rotated = {
      driver: 'json-file',
      options: { 'max-size': expect.any(String), 'max-file': expect.any(String) },
    };
    const { 'broker-setup': endsByItself, ...services } = composeFile().services;
    expect(endsByItself).toMatchObject({ logging: rotated });
    for (const service of Object.values(services))
      expect(service).toMatchObject({ healthcheck: { test: expect.anything() }, logging: rotated });
  });

  it('builds the image once', () => {
    expect(servicesThat(({ build }) => build !== undefined)).toEqual(['gateway']);
  });

  it('gives the gateway no password of a server', () => {
    const { gateway } = composeFile().services;
    const values = Object.values(gateway?.environment ?? {}).map(String);

    expect(values.filter((value) => /:\/\/[^/]*@/.test(value))).toEqual([]);
  });

  it('gives each service a user of its own at the broker', () => {
    const { services } = composeFile();
    const users = Object.entries(services).flatMap(([name, { environment }]) =>
      environment?.AMQP_DECLARES ? [[name, new URL(environment.AMQP_URL as string).username]] : [],
    );

    expect(users).toEqual([...serviceNames].map((name) => [name, name]));
  });

  it('starts what stands in for services outside only where a profile asks for it', () => {
    expect(servicesThat(({ profiles }) => profiles !== undefined)).toEqual([
      'stripe-sandbox',
      'mail',
    ]);
  });
});

describe('make-env', () => {
  it('writes for its owner alone', () => {
    expect(statSync(envFile).mode & 0o777).toBe(0o600);
  });

  it('never replaces passwords that volumes know, and says what a newer version wants', () => {
    const before = readFileSync(envFile, 'utf8');

    const { status, stderr } = makeEnv();

    expect([status, readFileSync(envFile, 'utf8')]).toEqual([1, before]);
    expect(stderr).toContain('stays as it is');
  });
});
