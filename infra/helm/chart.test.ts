import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@lendtools/contracts';
import { readConfig } from '@lendtools/service-kit';
import { inPostgres } from '@lendtools/service-runtime/stores';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseAllDocuments } from 'yaml';
import { config as gateway } from '../../gateway/src/config.ts';
import { config as accounts } from '../../services/accounts/src/config.ts';
import { config as bookings } from '../../services/bookings/src/config.ts';
import { config as catalog } from '../../services/catalog/src/config.ts';
import { config as messaging } from '../../services/messaging/src/config.ts';
import { config as notifications } from '../../services/notifications/src/config.ts';
import { config as payments } from '../../services/payments/src/config.ts';
import { findHelm, findSchemas } from './wheels.ts';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own shape, which the schemas check.
  spec: any;
  stringData?: Record<string, string>;
}

const here = import.meta.dirname;
const processes = ['gateway', ...serviceNames] as const;
const configs = { gateway, accounts, catalog, bookings, payments, messaging, notifications };
/** Sets of values, by their file; `defaults` has none. */
const valueSets = ['defaults', 'operators', 'smallest'];

let helm: string;
let schemas: string;
let secrets: Manifest[];
beforeAll(async () => {
  [helm, schemas] = await Promise.all([findHelm(), findSchemas()]);
  secrets = parse(run(process.execPath, ['make-secrets.mjs']));
});

function run(command: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: here, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function parse(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS({ maxAliasCount: -1 }) as Manifest | null)
    .filter((manifest) => manifest !== null);
}

function render(values = 'defaults', ...args: string[]): Manifest[] {
  const file = values === 'defaults' ? [] : ['-f', `test-values/${values}.yaml`];
  return parse(run(helm, ['template', 'lendtools', 'lendtools', ...file, ...args]));
}

function find(manifests: Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find(
    (manifest) => manifest.kind === kind && manifest.metadata.name === `lendtools-${name}`,
  );
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

/** What the operator writes into the Secrets by hand. */
const filledIn: Record<string, string> = {
  S3_URL: 'https://key:secret@s3.example/pictures',
  SMTP_URL: 'smtp://mail.example:587',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
};

/** The variables of a process, those of its Secret included. */
function environmentOf(manifests: Manifest[], name: string): Record<string, string> {
  const [container] = find(manifests, 'Deployment', name).spec.template.spec.containers;
  const variables = container.env.map(({ name, value }: Record<string, string>) => [name, value]);
  const secret = name === 'gateway' ? {} : find(secrets, 'Secret', name).stringData;
  return { ...Object.fromEntries(variables), ...secret, ...onlyOf(secret) };
}

function onlyOf(secret: Record<string, string> = {}) {
  return Object.fromEntries(Object.entries(filledIn).filter(([name]) => name in secret));
}

function podsOf(manifests: Manifest[]) {
  return manifests.flatMap(({ kind, spec }) => {
    if (kind === 'Pod') return [spec];
    return kind === 'Deployment' || kind === 'Job' ? [spec.template.spec] : [];
  });
}

/** The processes that a policy names in `from` or `to`. */
function componentsIn(rules: { from?: object[]; to?: object[] }[], side: 'from' | 'to') {
  return (
    rules
      .flatMap((rule) => rule[side] ?? [])
      // biome-ignore lint/suspicious/noExplicitAny: a peer is of one of three shapes.
      .map((peer: any) => peer.podSelector?.matchLabels?.['app.kubernetes.io/component'])
      .filter(Boolean)
      .sort()
  );
}

describe('the chart', () => {
  it.each(valueSets)('matches the Kubernetes schemas with the values %s', (values) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    const read = (name: string) => JSON.parse(readFileSync(join(schemas, name), 'utf8'));
    ajv.addSchema(read('_definitions.json'), '/api/_definitions.json');
    const checked = new Set<string>();
    const problems = render(values).flatMap((manifest) => {
      const [group, version] = ['', ...manifest.apiVersion.split('/')].slice(-2) as [
        string,
        string,
      ];
      const parts = [manifest.kind.toLowerCase(), group.split('.')[0], version].filter(Boolean);
      const file = `${parts.join('-')}.json`;
      // The operators' own kinds have no schema here.
      if (!existsSync(join(schemas, file))) return [];
      checked.add(manifest.kind);
      const validate = ajv.getSchema(file) ?? ajv.compile({ ...read(file), $id: file });
      return validate(manifest) ? [] : [{ manifest: manifest.metadata.name, of: validate.errors }];
    });

    expect(problems).toEqual([]);
    expect([...checked]).toEqual(expect.arrayContaining(['Deployment', 'Job', 'Pod', 'Service']));
  });

  it.each(valueSets)('starts each process with settings that it accepts: “%s”', (values) => {
    const manifests = render(values);
    for (const name of processes) {
      const env = environmentOf(manifests, name);
      expect(() => readConfig(configs[name], env)).not.toThrow();
      const known = Object.keys(configs[name].shape);
      const unknown = Object.keys(env).filter((variable) => !known.includes(variable));
      expect([name, unknown]).toEqual([name, []]);
    }
  });

  it('gives the gateway no secret, and each service only its own', () => {
    const manifests = render();
    const secretsOf = (name: string) =>
      find(manifests, 'Deployment', name).spec.template.spec.containers[0].envFrom;

    expect(secretsOf('gateway')).toBeUndefined();
    for (const name of serviceNames)
      expect(secretsOf(name)).toEqual([{ secretRef: { name: `lendtools-${name}` } }]);
  });

  it('confines every pod: no root, no token, a read-only file system, a limit of memory', () => {
    const pods = podsOf(render());

    expect(pods.length).toBe(processes.length + inPostgres.length + 2);
    for (const { containers, ...pod } of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { securityContext, resources } of containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources).toMatchObject({ limits: { memory: expect.any(String) } });
      }
    }
  });

  it('lets a process call only the services whose addresses it knows, and be called only by those', () => {
    const manifests = render('operators');
    const knows = (name: string, service: string) =>
      environmentOf(manifests, name)[`${service.toUpperCase()}_URL`] !== undefined;
    for (const name of processes) {
      const { egress } = find(manifests, 'NetworkPolicy', name).spec;
      const known = serviceNames.filter((service) => knows(name, service));
      expect([name, componentsIn(egress, 'to')]).toEqual([name, known.toSorted()]);
    }
    for (const name of serviceNames) {
      const { ingress } = find(manifests, 'NetworkPolicy', name).spec;
      const callers = processes.filter((caller) => knows(caller, name));
      expect([name, componentsIn(ingress, 'from')]).toEqual([name, callers.toSorted()]);
    }
  });

  it('lets only the services with data in PostgreSQL reach it', () => {
    const manifests = render('operators');
    const reach = processes.filter((name) =>
      JSON.stringify(find(manifests, 'NetworkPolicy', name).spec.egress).includes(
        'cnpg.io/cluster',
      ),
    );

    expect(reach).toEqual(inPostgres);
  });

  it('migrates and sets up the broker before an upgrade, and as a part of an installation', () => {
    const hooksOf = (...args: string[]) =>
      render('defaults', ...args)
        .filter(({ kind }) => kind === 'Job')
        .map(({ metadata }) => [metadata.name, metadata.annotations?.['helm.sh/hook']]);
    const names = ['broker-setup', ...inPostgres.map((service) => `migrate-${service}`)];

    expect(hooksOf()).toEqual(names.toSorted().map((name) => [`lendtools-${name}`, undefined]));
    expect(hooksOf('--is-upgrade')).toEqual(
      names.toSorted().map((name) => [`lendtools-${name}`, 'pre-upgrade']),
    );
  });

  it('creates each database with the extensions that its migrations need', () => {
    const manifests = render('operators');
    for (const service of inPostgres) {
      const { extensions = [] } = find(manifests, 'Database', `postgres-${service}`).spec;
      const created = extensions.map(({ name }: { name: string }) => name);
      const script = readFileSync(join(here, '../compose/postgres-init.sh'), 'utf8');
      const inScript = script.matchAll(/-d (\w+)|CREATE EXTENSION (\w+)( CASCADE)?/g);
      const needed: string[] = [];
      let database = '';
      for (const [, named, extension] of inScript) {
        database = named ?? database;
        if (extension && database === service) needed.push(extension);
      }
      expect([service, created]).toEqual([service, expect.arrayContaining(needed)]);
    }
  });

  it('rejects a setting that it does not know', () => {
    expect(() => render('defaults', '--set', 'replicaz=3')).toThrow(/replicaz/);
    expect(() => render('defaults', '--set', 'settings.COMISSION_PERCENT=10')).toThrow(
      /COMISSION_PERCENT/,
    );
  });

  it('passes Helm’s own checks', () => {
    expect(run(helm, ['lint', '--strict', 'lendtools'])).toContain('0 chart(s) failed');
  });
});
