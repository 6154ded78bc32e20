import { type CsvColumn, toCsv } from '@lendtools/contracts/csv';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { errorMessage } from '../api/error-message.ts';
import { saveFile } from '../lib/save-file.ts';
import { localDay } from '../rental/format.ts';
import { toastError } from './toast.ts';

interface ExportCsvProps<Row> {
  /** The file name without its extension. */
  name: string;
  columns: CsvColumn<Row>[];
  /** Loads all rows that match the filters, not only those on the page. */
  load: () => PromiseLike<{ data?: { rows: Row[]; isCut: boolean }; error?: unknown }>;
}

export function ExportCsv<Row>({ name, columns, load }: ExportCsvProps<Row>) {
  const [isLoading, setIsLoading] = useState(false);
  const save = async () => {
    setIsLoading(true);
    const { data, error } = await load();
    setIsLoading(false);
    if (!data) return toastError(errorMessage(error));
    const file = `lendtools-${name}-${localDay()}.csv`;
    saveFile(file, 'text/csv;charset=utf-8', toCsv(columns, data.rows));
    if (data.isCut) {
      const count = data.rows.length.toLocaleString('en-US');
      toastError(`The file has the newest ${count}. Narrow the list to get the others.`);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={isLoading}
      onClick={() => void save()}
    >
      Export CSV
    </Button>
  );
}
