import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SpanAbout, Tracer } from './tracing.ts';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

const traceparentOf = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
};

/** Exports spans by OTLP over HTTP. Our code creates them: automatic instrumentation can't patch ES modules already imported. */
export const createTracer = (
  service: string,
  { endpoint, ratio }: { endpoint: string; ratio: number },
): Tracer => {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'lendtools' }),
    // The process that starts a trace decides for all others whether it is sampled.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  const spans = provider.getTracer('lendtools');
  const underWay = new AsyncLocalStorage<Span>();

  const contextOf = ({ parent }: SpanAbout) => {
    if (parent === undefined) {
      const span = underWay.getStore();
      return span && trace.setSpan(ROOT_CONTEXT, span);
    }
    const remote = parent === null ? null : parseTraceParent(parent);
    return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : undefined;
  };
  const start = (about: SpanAbout, context = contextOf(about) ?? ROOT_CONTEXT): Span => {
    const { name, kind, attributes = {} } = about;
    return spans.startSpan(name, { kind: kinds[kind], attributes }, context);
  };

  return {
    begin(about) {
      const span = start(about);
      return {
        run: (work) => underWay.run(span, work),
        end({ name, attributes, isError }) {
          span.updateName(name).setAttributes(attributes);
          if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async inSpan(about, work) {
      const context = contextOf(about);
      if (!context) return work();
      const span = start(about, context);
      try {
        return await underWay.run(span, work);
      } catch (error) {
        // The error's message is not recorded, because it may contain personal data.
        const { code, name } = error as { code?: unknown; name?: string };
        span.setAttribute('error.type', String(code ?? name));
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    traceparent() {
      const span = underWay.getStore();
      return span ? traceparentOf(span) : null;
    },
    stop: () => provider.shutdown(),
  };
};
