import type { RequestHandler } from 'express';
import client from 'prom-client';

/** For what a service counts itself: it puts them into the registry of its process. */
export { Counter, Gauge, Histogram } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** A registry for each process: Node's own metrics, every request by route and status, and what was purged. */
export const createMetrics = (service: string) => {
  const registry = new client.Registry();
  registry.setDefaultLabels({ service });
  client.collectDefaultMetrics({ register: registry });
  const requests = new client.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its reply',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  });
  const purged = new client.Counter({
    name: 'purged_total',
    help: 'What the purges have deleted, by kind',
    labelNames: ['kind'],
    registers: [registry],
  });

  const observe: RequestHandler = (request, response, next) => {
    const end = requests.startTimer({ method: request.method });
    response.on('finish', () => {
      end({ route: request.route?.path ?? 'none', status: response.statusCode });
    });
    next();
  };
  return { registry, observe, purged };
};
