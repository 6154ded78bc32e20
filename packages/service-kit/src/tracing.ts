import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler } from 'express';

export interface SpanAbout {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** By OpenTelemetry's names, and nothing that people typed. */
  attributes?: Record<string, string | number>;
  /** The `traceparent` of what it continues, instead of the span under way. */
  parent?: string | null | undefined;
}

interface OpenSpan {
  run<T>(work: () => T): T;
  end(more: { name: string; attributes: Record<string, string | number>; isError: boolean }): void;
}

export interface Tracer {
  /** Begins a trace where there is nothing to continue. */
  begin(about: SpanAbout): OpenSpan;
  /** Does the work in a span, where there is something to continue; else without one. */
  inSpan<T>(about: SpanAbout, work: () => Promise<T>): Promise<T>;
  traceparent(): string | null;
  stop(): Promise<void>;
}

let tracer: Tracer | undefined;

/** Traces this process, if it is told where to send that; else OpenTelemetry's SDK is not even loaded. */
export const startTracing = async (
  service: string,
  config: { OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined; OTEL_TRACES_SAMPLER_ARG: number },
): Promise<void> => {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return;
  const { createTracer } = await import('./otel-tracer.ts');
  tracer = createTracer(service, { endpoint, ratio: config.OTEL_TRACES_SAMPLER_ARG });
};

/** Sends what is left; a receiver that is away for longer than a second does without it. */
export const stopTracing = async (): Promise<void> => {
  const stopped = tracer?.stop().catch(() => {});
  tracer = undefined;
  await Promise.race([stopped, delay(1_000, undefined, { ref: false })]);
};

/**
 * Does the work as a part of the trace under way, or of the one that `parent` names. A trace begins only at the gateway:
 * what a process does by itself, each second, would bury the others.
 */
export const inSpan = <T>(about: SpanAbout, work: () => Promise<T>): Promise<T> =>
  tracer ? tracer.inSpan(about, work) : work();

/** What others continue, by W3C's trace context; null outside of a trace. */
export const currentTraceparent = (): string | null => tracer?.traceparent() ?? null;

const probes = /^\/(livez|readyz|metrics)$/;

/**
 * A span for each request but those of probes, named by its route. Where they `begin`, at the gateway, each is a trace of
 * its own; elsewhere it continues its caller's, if that has one.
 */
export const traceRequests =
  ({ begin = false } = {}): RequestHandler =>
  (request, response, next) => {
    const parent = begin ? null : request.get('traceparent');
    if (!tracer || parent === undefined || probes.test(request.path)) return next();
    const { method } = request;
    const attributes = { 'http.request.method': method };
    const span = tracer.begin({ name: method, kind: 'server', parent, attributes });
    response.once('close', () => {
      // Not the path that was asked: people's addresses may stand in it.
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
