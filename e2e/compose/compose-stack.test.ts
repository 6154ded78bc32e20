import { describe, expect, it } from '@jest/globals';
import { type Container, engineProblem, runFileOf } from './compose-stack.ts';

const container = (service: string, address: string): Container => ({
  Config: { Labels: { 'com.docker.compose.service': service } },
  State: { Pid: 1 },
  NetworkSettings: { Networks: { lendtools_default: { IPAddress: address } } },
});

describe('engineProblem', () => {
  it.each([
    ['27.0.1', '2.24.0'],
    ['28.5.2+dfsg4', 'v2.40.3-3'],
    ['29.0.0', '5.0.1'],
  ])('accepts Docker engine %s with Compose %s', (engine, compose) => {
    expect(engineProblem({ engine, compose })).toBeUndefined();
  });

  it.each([
    [undefined, undefined, 'No Docker Engine answers'],
    ['20.10.24+dfsg1', '2.40.3', 'needs 27 or newer'],
    ['26.1.5', '2.40.3', 'needs 27 or newer'],
    ['28.5.2', undefined, 'Docker Compose is missing'],
    ['28.5.2', '2.23.3', 'needs 2.24 or newer'],
  ])('reports what is missing for Docker engine %s with Compose %s', (engine, compose, words) => {
    expect(engineProblem({ engine, compose })).toContain(words);
  });
});

describe('runFileOf', () => {
  const env = {
    PUBLIC_URL: 'http://localhost:8089',
    BOOKINGS_DB_PASSWORD: 'b-db',
    MESSAGING_DB_PASSWORD: 'm-db',
    BOOKINGS_BROKER_PASSWORD: 'b-broker',
  };
  const containers = [
    container('postgres', '172.31.0.2'),
    container('mongo', '172.31.0.3'),
    container('rabbitmq', '172.31.0.4'),
    container('mail', '172.31.0.5'),
  ];

  it('returns URLs with the containers’ addresses and the services’ users', () => {
    expect(runFileOf(env, containers)).toMatchObject({
      site: 'http://localhost:8089',
      broker: { services: { bookings: 'amqp://bookings:b-broker@172.31.0.4:5672' } },
      databases: {
        bookings: 'postgres://bookings:b-db@172.31.0.2:5432/bookings',
        messaging: 'mongodb://messaging:m-db@172.31.0.3:27017/messaging?directConnection=true',
      },
    });
  });

  it('returns a database URL with the user that replaced the first one', () => {
    const later = {
      ...env,
      BOOKINGS_DATABASE_URL: 'postgres://bookings_2:new@postgres:5432/bookings',
    };

    expect(runFileOf(later, containers).databases.bookings).toBe(
      'postgres://bookings_2:new@172.31.0.2:5432/bookings',
    );
  });

  it('throws an error that names a server without a container', () => {
    expect(() => runFileOf(env, containers.slice(1))).toThrow(
      'No container of postgres is running',
    );
  });
});
