export * from './start-service.ts';
