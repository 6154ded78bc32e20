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
  ports?: string[];
  mem_limit?: string;
  pids_limit?: number;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  logging?: unknown;
  healthcheck?: { test: string[] };
  profiles?: string[];
  image?: string;
  volumes?: string[];
}

const here = import.meta.dirname;

function read(name: string): string {
  return readFileSync(join(here, name), 'utf8');
}

const folder = mkdtempSync(join(tmpdir(), 'compose-'));
const envFile = join(folder, '.env');

function makeEnv() {
  return spawnSync(process.execPath, [join(here, 'make-env.mjs'), envFile], { encoding: 'utf8' });
}

beforeAll(() => void makeEnv());
afterAll(() => rmSync(folder, { recursive: true }));

function interpolate(value: unknown, env: NodeJS.Dict<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => interpolate(each, env));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, interpolate(each, env)]),
    );
  if (typeof value !== 'string') return value;
  // Matches a variable without another one inside: a default may contain a variable, so the innermost are replaced first.
  const named = /\$\{(\w+)(?::([-?])([^{}]*))?\}/g;
  let text = value;
  while (named.test(text)) {
    text = text.replace(named, (_, name, mark, rest) => {
      if (!env[name] && mark === '?') throw new Error(`${name} is not set`);
      return env[name] || (mark === '-' ? rest : '');
    });
  }
  return text.replaceAll('$$', '$');
}

function composeFile(): { services: Record<string, ComposeService> } {
  const file = parse(read('../docker-compose.yml'), { merge: true });
  return interpolate(file, parseEnv(readFileSync(envFile, 'utf8'))) as never;
}

function servicesThat(fits: (service: ComposeService) => boolean): string[] {
  return Object.entries(composeFile().services)
    .filter(([, service]) => fits(service))
    .map(([name]) => name);
}

describe('docker-compose.yml', () => {
  it('is valid by Compose’s schema, with the settings from make-env', () => {
    // Strict checks are off: `$schema` is not draft 7's official URL, and some formats are Compose's own.
    const options = { strict: false, validateSchema: false, validateFormats: false };
    const validate = new Ajv(options).compile(JSON.parse(read('compose-spec/compose-spec.json')));

    validate(composeFile());

    expect(validate.errors ?? []).toEqual([]);
  });

  it('gives every long-running container a health check, and rotates every log', () => {
    const rotated = {
      driver: 'json-file',
      options: { 'max-size': expect.any(String), 'max-file': expect.any(String) },
    };
    const { 'broker-setup': setUp, stores, ...services } = composeFile().services;
    for (const endsByItself of [setUp, stores])
      expect(endsByItself).toMatchObject({ logging: rotated });
    for (const service of Object.values(services))
      expect(service).toMatchObject({ healthcheck: { test: expect.anything() }, logging: rotated });
  });

  it('uses no password in health checks, so that they still pass after an operator changes one', () => {
    const { services } = composeFile();
    const requested = Object.values(services).flatMap(({ healthcheck }) => healthcheck?.test ?? []);

    expect(requested.filter((word) => word.includes('PASSWORD'))).toEqual([]);
  });

  it('builds the image in one service only', () => {
    expect(servicesThat(({ build }) => build !== undefined)).toEqual(['gateway']);
  });

  it('builds the image without tests, the repository’s history and local files', () => {
    const ignored = read('../../.dockerignore').split('\n');

    expect(ignored).toEqual(
      expect.arrayContaining([
        '.git',
        '.local',
        '**/.env',
        '**/*.test.ts',
        '**/*.test.tsx',
        '**/test',
      ]),
    );
  });

  it('mounts volumes only at folders that the image creates with the right owner', () => {
    const [, made = ''] = /^RUN mkdir -p (.*) && chown /m.exec(read('../Dockerfile')) ?? [];
    const ours = Object.values(composeFile().services).filter(({ image }) => image === 'lendtools');
    const mounts = ours.flatMap(({ volumes = [] }) => volumes.map((each) => each.split(':')[1]));

    expect(new Set(made.split(' '))).toEqual(new Set(mounts));
  });

  it('passes a service both the trace endpoint and its headers, or neither', () => {
    const { services } = composeFile();
    const named = Object.values(services).map(({ environment = {} }) =>
      Object.keys(environment).filter((name) => name.startsWith('OTEL_EXPORTER_')),
    );

    expect(new Set(named.map(String))).toEqual(
      new Set(['', 'OTEL_EXPORTER_OTLP_ENDPOINT,OTEL_EXPORTER_OTLP_HEADERS']),
    );
  });

  it('passes PURGE_INTERVAL_MINUTES to every service', () => {
    const named = servicesThat(({ environment }) => Boolean(environment?.PURGE_INTERVAL_MINUTES));

    expect(named).toEqual(serviceNames);
  });

  it('confines every container: read-only file system, no capabilities, resource limits', () => {
    const { grafana, stores, ...others } = composeFile().services;
    const limited = {
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.any(String),
      pids_limit: 500,
    };

    for (const service of Object.values(others))
      expect(service).toMatchObject({ ...limited, read_only: true, cap_drop: ['ALL'] });
    expect(grafana).toMatchObject({ ...limited, read_only: false, cap_drop: ['ALL'] });
    // The operator runs the container `stores` by hand as root, because it writes to folders of other users.
    expect(stores).toMatchObject({ ...limited, read_only: false, cap_drop: [] });
  });

  it('publishes every port only on 127.0.0.1', () => {
    const ports = Object.entries(composeFile().services).flatMap(([name, service]) =>
      (service.ports ?? []).map((port) => `${name} ${port}`),
    );

    expect(ports).toEqual([
      'gateway 127.0.0.1:8080:3000',
      'stripe-sandbox 127.0.0.1:4242:4242',
      'mail 127.0.0.1:1080:1080',
      'prometheus 127.0.0.1:9090:9090',
      'grafana 127.0.0.1:3001:3000',
    ]);
  });

  it('gives the gateway no database or broker password', () => {
    const { gateway } = composeFile().services;
    const values = Object.values(gateway?.environment ?? {}).map(String);

    expect(values.filter((value) => /:\/\/[^/]*@/.test(value))).toEqual([]);
  });

  it('gives each service its own broker user', () => {
    const { services } = composeFile();
    const users = Object.entries(services).flatMap(([name, { environment }]) =>
      environment?.AMQP_DECLARES ? [[name, new URL(environment.AMQP_URL as string).username]] : [],
    );

    expect(users).toEqual([...serviceNames].map((name) => [name, name]));
  });

  it('starts the sandboxes, monitoring and backups only with their profiles', () => {
    expect(servicesThat(({ profiles }) => profiles !== undefined)).toEqual([
      'stripe-sandbox',
      'stores',
      'mail',
      'prometheus',
      'grafana',
    ]);
  });
});

describe('make-env', () => {
  it('writes an .env file that only its owner can read', () => {
    expect(statSync(envFile).mode & 0o777).toBe(0o600);
  });

  it('keeps an existing .env and its passwords, and exits with 1', () => {
    const before = readFileSync(envFile, 'utf8');

    const { status, stderr } = makeEnv();

    expect([status, readFileSync(envFile, 'utf8')]).toEqual([1, before]);
    expect(stderr).toContain('is not changed');
  });
});
