export * from './dead-letter-work.ts';
export * from './start-service.ts';
