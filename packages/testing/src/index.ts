export * from './databases.ts';
export * from './http-client.ts';
export * from './sample-events.ts';
export * from './servers.ts';
export * from './test-accounts.ts';
export * from './test-broker.ts';
export * from './test-environment.ts';
export * from './wait-for.ts';
