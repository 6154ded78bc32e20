/**
 * `npm run audit`: exits with 1 if a production dependency has a known vulnerability of high severity, and with 2 if
 * npm gets no answer, so nothing was checked.
 */
import { spawnSync } from 'node:child_process';

interface Report {
  metadata?: { vulnerabilities: { high: number; critical: number } };
  vulnerabilities: Record<string, { severity: string; range: string }>;
  message?: string;
}

const { stdout, stderr } = spawnSync(
  'npm',
  ['audit', '--omit=dev', '--audit-level=high', '--json'],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
const report: Report = stdout ? JSON.parse(stdout) : { vulnerabilities: {}, message: stderr };
if (!report.metadata) {
  console.error(`Not audited, because npm got no answer: ${report.message}`);
  process.exit(2);
}
const { high, critical } = report.metadata.vulnerabilities;
for (const [name, { severity, range }] of Object.entries(report.vulnerabilities))
  console.log(`${severity.padEnd(8)}  ${name} ${range}`);
console.log(`${high + critical} with a known vulnerability of high severity`);
process.exit(high + critical === 0 ? 0 : 1);
