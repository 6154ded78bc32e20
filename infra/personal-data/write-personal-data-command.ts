import { readFileSync, writeFileSync } from 'node:fs';
import { describePersonalData } from './describe-personal-data.ts';
import { replaceTable, retentionFile } from './retention-file.ts';

writeFileSync(
  retentionFile,
  replaceTable(readFileSync(retentionFile, 'utf8'), describePersonalData()),
);
