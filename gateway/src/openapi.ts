import {
  callersOf,
  errorCodes,
  errorCodesOf,
  maxPageSize,
  problem,
  type Route,
} from '@lendtools/contracts';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';

const file = z.string().meta({ format: 'binary', description: 'A picture of at most 10 MB' });

const ifMatch = z.string().meta({
  description:
    'The `revision` that the edit starts from, such as `"7"`. Without it the edit is saved whatever came between.',
});

const meanings: Record<number, string> = {
  400: 'Bad input; `errors` names each field',
  401: 'No valid token',
  402: 'Not paid',
  403: 'Not allowed',
  404: 'There is no such thing',
  408: 'The request came too slowly',
  409: 'It clashes with what is',
  412: 'It was edited since the revision in If-Match',
  413: 'Too large',
  422: 'The Idempotency-Key was used for another request',
  429: 'Too many attempts',
  500: 'A fault of ours',
  503: 'Not available right now',
  504: 'No answer in time',
};

const problemsOf = (route: Route) => {
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => errorCodes[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schema = problem.extend({ status: z.literal(status), code: z.enum(codes) });
      const content = { 'application/problem+json': { schema } };
      return [status, { description: meanings[status], content }];
    }),
  );
};

const requestBody = (route: Route): ZodOpenApiOperationObject['requestBody'] => {
  if (route.raw) return { content: { 'application/json': { schema: z.unknown() } } };
  if (!route.body) return undefined;
  const json = { 'application/json': { schema: route.body } };
  if (!route.images) return { content: json };
  const withImages = route.body.extend(
    Object.fromEntries(route.images.map((name) => [name, file.optional()])),
  );
  return { content: { ...json, 'multipart/form-data': { schema: withImages } } };
};

const operation = (name: string, route: Route): ZodOpenApiOperationObject => {
  const isKept = route.media === 'image/webp' || (route.method === 'GET' && route.who === 'anyone');
  const description = [
    `May be called by: ${callersOf(route)}.`,
    route.query?.shape.limit ? `Pages hold at most ${maxPageSize}.` : '',
  ];
  return {
    operationId: name,
    tags: [route.service],
    summary: route.summary,
    description: description.filter(Boolean).join(' '),
    security: route.who === 'anyone' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(route.params && { path: route.params }),
      ...(route.query && { query: route.query }),
      ...(route.ifMatch && { header: z.object({ 'If-Match': ifMatch.optional() }) }),
    },
    ...(requestBody(route) && { requestBody: requestBody(route) }),
    responses: {
      [route.status]: {
        description: 'Done',
        content: route.media
          ? { [route.media]: { schema: route.reply } }
          : { 'application/json': { schema: route.reply } },
      },
      ...(isKept && { 304: { description: 'The copy that If-None-Match names is still right' } }),
      ...problemsOf(route),
    },
  } as ZodOpenApiOperationObject;
};

export const createOpenApi = (routes: Record<string, Route>, site: string) => {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'LendTools',
      version: '1',
      description: 'Rent and lend tools in your neighborhood.',
    },
    servers: [{ url: site }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  });
};
