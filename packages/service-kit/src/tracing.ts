import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler } from 'express';

export interface SpanAbout {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** Attributes as named in OpenTelemetry's conventions. They must not contain what people typed. */
  attributes?: Record<string, string | number>;
  /** The `traceparent` to continue instead of the current span; null for none. */
  parent?: string | null | undefined;
}

interface OpenSpan {
  run<T>(work: () => T): T;
  end(more: { name: string; attributes: Record<string, string | number>; isError: boolean }): void;
}

export interface Tracer {
  begin(about: SpanAbout): OpenSpan;
  /** Runs the work without a span if there is no trace to continue. */
  inSpan<T>(about: SpanAbout, work: () => Promise<T>): Promise<T>;
  traceparent(): string | null;
  stop(): Promise<void>;
}

let tracer: Tracer | undefined;

/** Loads OpenTelemetry's SDK only if an endpoint is set. */
export const startTracing = async (
  service: string,
  config: { OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined; OTEL_TRACES_SAMPLER_ARG: number },
): Promise<void> => {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return;
  const { createTracer } = await import('./otel-tracer.ts');
  tracer = createTracer(service, { endpoint, ratio: config.OTEL_TRACES_SAMPLER_ARG });
};

/** Exports the remaining spans, but waits at most a second for the receiver. */
export const stopTracing = async (): Promise<void> => {
  const stopped = tracer?.stop().catch(() => {});
  tracer = undefined;
  await Promise.race([stopped, delay(1_000, undefined, { ref: false })]);
};

/** Runs the work in a span of the current trace or of `parent`. Never starts a trace: only requests start traces. */
export const inSpan = <T>(about: SpanAbout, work: () => Promise<T>): Promise<T> =>
  tracer ? tracer.inSpan(about, work) : work();

/** The current span in W3C Trace Context format; null outside a trace. */
export const currentTraceparent = (): string | null => tracer?.traceparent() ?? null;

const probes = /^\/(livez|readyz|metrics)$/;

/** Creates a span for each request except probes. With `begin`, as at the gateway, each request starts a trace. */
export const traceRequests =
  ({ begin = false } = {}): RequestHandler =>
  (request, response, next) => {
    const parent = begin ? null : request.get('traceparent');
    if (!tracer || parent === undefined || probes.test(request.path)) return next();
    const { method } = request;
    const attributes = { 'http.request.method': method };
    const span = tracer.begin({ name: method, kind: 'server', parent, attributes });
    response.once('close', () => {
      // Don't record the requested path: it may contain email addresses.
      const route = request.route?.path ?? 'none';
      const { statusCode } = response;
      span.end({
        name: `${method} ${route}`,
        attributes: { 'http.route': route, 'http.response.status_code': statusCode },
        isError: statusCode >= 500,
      });
    });
    span.run(next);
  };
