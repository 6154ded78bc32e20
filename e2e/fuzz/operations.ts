import { z } from 'zod';
import { api } from '../src/people.ts';

export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
}

interface Media {
  schema: Schema;
}

export interface Operation {
  name: string;
  method: string;
  path: string;
  parameters: { in: 'path' | 'query'; name: string; required?: boolean; schema: Schema }[];
  bodies: Record<string, Media>;
  responses: Record<string, { content?: Record<string, Media> }>;
}

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: Operation['parameters'];
        requestBody?: { content: Operation['bodies'] };
        responses: Operation['responses'];
      }
    >
  >;
}

export const readOperations = async (): Promise<Operation[]> => {
  const { body } = await api().get<Document>('/api/openapi.json');
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      bodies: operation.requestBody?.content ?? {},
      responses: operation.responses,
    })),
  );
};

const validators = new Map<Schema, z.ZodType>();

export const misfitOf = (schema: Schema, value: unknown): string | undefined => {
  const validator =
    validators.get(schema) ?? z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  validators.set(schema, validator);
  const [issue] = validator.safeParse(value).error?.issues ?? [];
  return issue && `${issue.path.join('.').replace(/\d+/g, 'n')}: ${issue.message}`;
};
