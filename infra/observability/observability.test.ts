import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@lendtools/contracts';
import { readConfig } from '@lendtools/service-kit';
import { freePort, waitFor } from '@lendtools/testing';
import { parse, stringify } from 'yaml';
import { config as gatewayConfig } from '../../gateway/src/config.ts';
import { startGateway } from '../../gateway/src/start-gateway.ts';
import { startAccountsService } from '../../services/accounts/test/accounts-service.ts';
import { startBookingsService } from '../../services/bookings/test/bookings-service.ts';
import { startCatalogForTest } from '../../services/catalog/test/catalog-service.ts';
import { startMessagingService } from '../../services/messaging/test/messaging-service.ts';
import { startNotificationsService } from '../../services/notifications/test/notifications-service.ts';
import { startTestPayments } from '../../services/payments/test/payments-service.ts';
import { findPromtool } from '../local/promtool.ts';
import { firing, healthy } from './alert-cases.ts';

interface Rule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

const here = import.meta.dirname;

function read(name: string): string {
  return readFileSync(join(here, name), 'utf8');
}

const alertsFile = join(here, 'alerts.yml');
const rules: Rule[] = parse(read('alerts.yml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);
const panels: { title: string; targets?: { expr: string }[] }[] = JSON.parse(
  read('grafana/dashboard.json'),
).panels;

const folder = mkdtempSync(join(tmpdir(), 'observability-'));
let promtool: string;
let metrics: string;

beforeAll(async () => {
  const [found, running] = await Promise.all([findPromtool(), startEverything()]);
  promtool = found;
  // Stop everything before promtool runs: it blocks this process for longer than RabbitMQ waits for a heartbeat.
  metrics = await running.scrape().finally(running.stop);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function startEverything() {
  const services = await Promise.all([
    startAccountsService(),
    startCatalogForTest(),
    startBookingsService(),
    startTestPayments(),
    startMessagingService(),
    startNotificationsService(),
  ]);
  const urls = services.map((service) =>
    'running' in service ? service.running.url : service.url,
  );
  const metricsPort = await freePort();
  const gateway = await startGateway(
    readConfig(gatewayConfig, {
      PUBLIC_URL: 'https://lendtools.test',
      LOG_LEVEL: 'silent',
      WEB_DIST: folder,
      METRICS_PORT: String(metricsPort),
      ...Object.fromEntries(
        serviceNames.map((name, i) => [`${name.toUpperCase()}_URL`, urls[i] as string]),
      ),
    }),
  );
  const scraped = [...urls, `http://127.0.0.1:${metricsPort}`];
  for (const url of [...urls, gateway.url]) await fetch(`${url}/livez`);
  return {
    /** Waits until every service is connected to the broker, because only then are its queues counted. */
    scrape: () =>
      waitFor('every service to be connected', async () => {
        const texts = await Promise.all(
          scraped.map(async (url) => (await fetch(`${url}/metrics`)).text()),
        );
        const all = texts.join('\n');
        const areConnected = all.match(/^broker_connected\{.*\} 1$/gm)?.length === urls.length;
        return areConnected && all.includes('job_failed_rows{') && all;
      }),
    stop: () => Promise.all([gateway, ...services].map((each) => each.stop())),
  };
}

const promql = new Set(
  'and by for group_left ignoring offset on or unless without bool le'.split(' '),
);

function metricsOf(query: string): { name: string; labels: string[] }[] {
  return [...query.matchAll(/(?<![\w"$])([a-z_:][\w:]*)(?:\{([^}]*)\})?(?!\w)(?!\s*\()/g)].flatMap(
    ([, name = '', matchers = '']) =>
      promql.has(name)
        ? []
        : [
            {
              name,
              labels: [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
            },
          ],
  );
}

/** Strips strings, durations and label lists, which look like metric names. */
function bare(query: string): string {
  return query
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, '')
    .replace(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** Prometheus adds these labels to each target. */
const targetLabels = ['job', 'instance', 'service', 'le'];

function unknownIn(query: string): string[] {
  const labelsOf = (name: string) => {
    const sample = [...metrics.matchAll(new RegExp(`^${name}\\{([^}]*)\\}`, 'gm'))];
    return sample.flatMap(([, text = '']) => [...text.matchAll(/(\w+)=/g)].map(([, l]) => l));
  };
  return metricsOf(bare(query)).flatMap(({ name, labels }) => {
    if (name === 'up') return [];
    const known = labelsOf(name);
    if (known.length === 0) return [name];
    return labels
      .filter((label) => !targetLabels.includes(label) && !known.includes(label))
      .map((label) => `${name}{${label}}`);
  });
}

describe('alert rules', () => {
  it('are valid, like the rest of the Prometheus configuration', () => {
    const rulesCheck = spawnSync(promtool, ['check', 'rules', alertsFile], { encoding: 'utf8' });
    const configCheck = spawnSync(promtool, ['check', 'config', join(here, 'prometheus.yml')], {
      encoding: 'utf8',
    });

    expect(rulesCheck.stdout).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(configCheck).toMatchObject({ status: 0 });
  });

  it('fire in their failure cases, and not in a healthy system', () => {
    const quiet = rules.map(({ alert }) => ({ eval_time: '2h', alertname: alert, exp_alerts: [] }));
    const each = Object.entries(firing).flatMap(([alert, fires]) =>
      [fires].flat().map((one) => ({ alert, ...one })),
    );
    const cases = each.map(({ alert, series, labels, at = '2h' }) => {
      const rule = rules.find((each) => each.alert === alert) as Rule;
      const expected = {
        exp_labels: { ...rule.labels, ...labels },
        exp_annotations: fill(rule.annotations, labels),
      };
      return {
        name: alert,
        interval: '1m',
        input_series: seriesOf({ ...healthy, ...series }),
        alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: [expected] }],
      };
    });
    const everything = {
      rule_files: [alertsFile],
      tests: [
        {
          name: 'all is well',
          interval: '1m',
          input_series: seriesOf(healthy),
          alert_rule_test: quiet,
        },
        ...cases,
      ],
    };
    const file = join(folder, 'tests.yml');
    writeFileSync(file, stringify(everything));

    const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', file], {
      encoding: 'utf8',
    });

    expect(Object.keys(firing)).toEqual(rules.map(({ alert }) => alert));
    expect(stderr + stdout).toContain('SUCCESS');
    expect(status).toBe(0);
  });

  it.each(rules.map(({ alert, expr }) => [alert, expr]))(
    '%s uses only metrics and labels that the processes export',
    (_alert, expr) => {
      expect(unknownIn(expr)).toEqual([]);
    },
  );

  it('link to their sections of the runbook', () => {
    const runbook = readFileSync(join(here, '../../docs/runbook.md'), 'utf8');
    const headings = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    const links = rules.map(({ annotations }) => annotations.runbook_url);

    expect(headings).toEqual(rules.map(({ alert }) => alert));
    expect(links).toEqual(headings.map((name) => `docs/runbook.md#${name?.toLowerCase()}`));
  });
});

describe('dashboard', () => {
  const queries = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [title, expr] as const),
  );

  it.each(queries)(
    '%s uses only metrics and labels that the processes export: %s',
    (_title, expr) => {
      expect(unknownIn(expr)).toEqual([]);
    },
  );

  it('has only valid PromQL queries', () => {
    const asRules = queries.map(([, expr], i) => ({
      record: `panel:${i}`,
      expr: expr.replaceAll('$__rate_interval', '1m'),
    }));
    const file = join(folder, 'panels.yml');
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: asRules }] }));

    const { stdout, stderr } = spawnSync(promtool, ['check', 'rules', file], { encoding: 'utf8' });

    expect(stdout + stderr).toContain(`SUCCESS: ${queries.length} rules found`);
  });
});

it('this test detects a metric or label that no process exports', () => {
  expect(
    unknownIn('sum by (service) (rate(http_requests_total{service=~"$service"}[5m]))'),
  ).toEqual(['http_requests_total']);
  expect(unknownIn('max(holds_total{state="live"})')).toEqual(['holds_total{state}']);
});

function seriesOf(series: Record<string, string>): { series: string; values: string }[] {
  return Object.entries(series).map(([name, values]) => ({ series: name, values }));
}

function fill(texts: Record<string, string>, labels: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_all, name) => labels[name] ?? ''),
    ]),
  );
}
