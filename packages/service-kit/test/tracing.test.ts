import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { currentTraceparent, inSpan, startTracing, stopTracing } from '../src/index.ts';

const remote = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01';
const about = { name: 'work', kind: 'consumer' as const };

const tracing = async (ratio: number, work: () => Promise<unknown>): Promise<string> => {
  let received = '';
  const server = createServer(async (request, response) => {
    received += await text(request);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await startTracing('test', {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_TRACES_SAMPLER_ARG: ratio,
  });
  await work();
  await stopTracing();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return received;
};

/** Counts the modules of OpenTelemetry's SDK. Its API does not count, because prom-client loads it too. */
const loadedModules = (endpoint: string | undefined): number => {
  const script = `
    import { registerHooks } from 'node:module';
    let loaded = 0;
    registerHooks({ load(url, context, next) {
      if (url.includes('@opentelemetry/sdk-trace')) loaded++;
      return next(url, context);
    } });
    const { startTracing } = await import('./packages/service-kit/src/index.ts');
    await startTracing('test', { OTEL_EXPORTER_OTLP_ENDPOINT: ${JSON.stringify(endpoint)}, OTEL_TRACES_SAMPLER_ARG: 1 });
    console.log(loaded);
    process.exit();`;
  const args = ['--input-type=module', '--eval', script];
  return Number(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
};

describe('tracing', () => {
  it('loads no modules of the tracing SDK while tracing is off', () => {
    expect(loadedModules(undefined)).toBe(0);
    expect(loadedModules('http://127.0.0.1:9')).toBeGreaterThan(0);
  });

  it('runs the work without a span while tracing is off', async () => {
    const seen = await inSpan({ ...about, parent: remote }, async () => currentTraceparent());

    expect(seen).toBeNull();
  });

  it('continues the caller’s trace, or the current trace inside a span', async () => {
    const seen: (string | null)[] = [];
    const received = await tracing(1, () =>
      inSpan({ ...about, parent: remote }, async () => {
        seen.push(currentTraceparent());
        await inSpan({ name: 'part', kind: 'client' }, async () => seen.push(currentTraceparent()));
      }),
    );

    const [trace, parent] = remote.slice(3).split('-');
    expect(seen.map((each) => each?.slice(3, 35))).toEqual([trace, trace]);
    expect(received).toContain(`"parentSpanId":"${parent}"`);
    expect(received).toContain(`"parentSpanId":"${seen[0]?.slice(36, 52)}"`);
  });

  it('starts no trace without a traceparent, nor for an invalid one', async () => {
    const received = await tracing(1, async () => {
      for (const parent of [undefined, null, 'nonsense', '00-xyz-1-01'])
        await inSpan({ ...about, parent }, async () => expect(currentTraceparent()).toBeNull());
    });

    expect(received).toBe('');
  });

  it('records an error in the span without its message, and rethrows it', async () => {
    const fails = () => Promise.reject(new RangeError('rita@example.com is out of range'));
    let thrown: unknown;

    const received = await tracing(1, async () => {
      thrown = await inSpan({ ...about, parent: remote }, fails).catch((error: unknown) => error);
    });

    expect(thrown).toBeInstanceOf(RangeError);
    expect(received).toContain('RangeError');
    expect(received).not.toContain('rita');
  });

  it('exports nothing for a trace that its origin did not sample', async () => {
    const unsampled = remote.replace(/01$/, '00');

    const received = await tracing(1, () =>
      inSpan({ ...about, parent: unsampled }, async () => {}),
    );

    expect(received).toBe('');
  });

  it.each([
    ['is unreachable', true],
    ['never answers', false],
  ])('stops tracing in time while the receiver %s', async (_what, isAway) => {
    const receiver = createServer(() => {}).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    if (isAway) receiver.close();
    await startTracing('test', {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_TRACES_SAMPLER_ARG: 1,
    });
    await inSpan({ ...about, parent: remote }, async () => {});

    await expect(stopTracing()).resolves.toBeUndefined();

    receiver.close();
    receiver.closeAllConnections();
  });
});
