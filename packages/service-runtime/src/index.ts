export { adminActs } from './audit-logs.ts';
export * from './dead-letter-work.ts';
export * from './start-service.ts';
